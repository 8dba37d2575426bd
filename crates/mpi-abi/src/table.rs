//! Every MPI call as data: one row of [`FUNCTIONS`] each, sorted by name.
//!
//! Written by `chore/make_table.py` from PyPI's `pympistandard` 0.2.0 (MIT
//! licence); change that program, not this file.

use crate::function::{arr, ptr, val, Direction::*, Function, Kind::*, Role};

/// The functions that a tool may wrap, sorted by name; a [`FunctionId`](crate::FunctionId) is an index.
pub static FUNCTIONS: &[Function] = &[
    Function { name: "MPI_Abort", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("errorcode", Int)] },
    Function { name: "MPI_Accumulate", role: Role::Rma, fortran: true, args: &[val("origin_addr", Buffer), val("origin_count", Count), val("origin_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", Count), val("target_datatype", Datatype), val("op", Op), val("win", Win)] },
    Function { name: "MPI_Accumulate_c", role: Role::Rma, fortran: false, args: &[val("origin_addr", Buffer), val("origin_count", LargeCount), val("origin_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", LargeCount), val("target_datatype", Datatype), val("op", Op), val("win", Win)] },
    Function { name: "MPI_Add_error_class", role: Role::Function, fortran: true, args: &[ptr("errorclass", Int, Out)] },
    Function { name: "MPI_Add_error_code", role: Role::Function, fortran: true, args: &[val("errorclass", Int), ptr("errorcode", Int, Out)] },
    Function { name: "MPI_Add_error_string", role: Role::Function, fortran: true, args: &[val("errorcode", Int), ptr("string", String, In)] },
    Function { name: "MPI_Address", role: Role::Function, fortran: true, args: &[val("location", Buffer), ptr("address", Address, Out)] },
    Function { name: "MPI_Allgather", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Allgather_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Allgather_init", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Allgather_init_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Allgatherv", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("displs", Int, In), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Allgatherv_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("displs", Address, In), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Allgatherv_init", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("displs", Int, In), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Allgatherv_init_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("displs", Address, In), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Alloc_mem", role: Role::Function, fortran: true, args: &[val("size", Address), val("info", Info), ptr("baseptr", Other, Out)] },
    Function { name: "MPI_Allreduce", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", Count), val("datatype", Datatype), val("op", Op), val("comm", Comm)] },
    Function { name: "MPI_Allreduce_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("op", Op), val("comm", Comm)] },
    Function { name: "MPI_Allreduce_init", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", Count), val("datatype", Datatype), val("op", Op), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Allreduce_init_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("op", Op), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Alltoall", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Alltoall_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Alltoall_init", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Alltoall_init_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Alltoallv", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("sdispls", Int, In), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("rdispls", Int, In), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Alltoallv_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("sdispls", Address, In), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("rdispls", Address, In), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Alltoallv_init", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("sdispls", Int, In), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("rdispls", Int, In), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Alltoallv_init_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("sdispls", Address, In), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("rdispls", Address, In), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Alltoallw", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("sdispls", Int, In), arr("sendtypes", Datatype, In), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("rdispls", Int, In), arr("recvtypes", Datatype, In), val("comm", Comm)] },
    Function { name: "MPI_Alltoallw_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("sdispls", Address, In), arr("sendtypes", Datatype, In), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("rdispls", Address, In), arr("recvtypes", Datatype, In), val("comm", Comm)] },
    Function { name: "MPI_Alltoallw_init", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("sdispls", Int, In), arr("sendtypes", Datatype, In), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("rdispls", Int, In), arr("recvtypes", Datatype, In), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Alltoallw_init_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("sdispls", Address, In), arr("sendtypes", Datatype, In), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("rdispls", Address, In), arr("recvtypes", Datatype, In), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Attr_delete", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("keyval", Keyval)] },
    Function { name: "MPI_Attr_get", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("keyval", Keyval), ptr("attribute_val", Other, Out), ptr("flag", Flag, Out)] },
    Function { name: "MPI_Attr_put", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("keyval", Keyval), val("attribute_val", Other)] },
    Function { name: "MPI_Barrier", role: Role::Barrier, fortran: true, args: &[val("comm", Comm)] },
    Function { name: "MPI_Barrier_init", role: Role::Barrier, fortran: true, args: &[val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Bcast", role: Role::CollOne2All, fortran: true, args: &[val("buffer", Buffer), val("count", Count), val("datatype", Datatype), val("root", Rank), val("comm", Comm)] },
    Function { name: "MPI_Bcast_c", role: Role::CollOne2All, fortran: false, args: &[val("buffer", Buffer), val("count", LargeCount), val("datatype", Datatype), val("root", Rank), val("comm", Comm)] },
    Function { name: "MPI_Bcast_init", role: Role::CollOne2All, fortran: true, args: &[val("buffer", Buffer), val("count", Count), val("datatype", Datatype), val("root", Rank), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Bcast_init_c", role: Role::CollOne2All, fortran: false, args: &[val("buffer", Buffer), val("count", LargeCount), val("datatype", Datatype), val("root", Rank), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Bsend", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm)] },
    Function { name: "MPI_Bsend_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm)] },
    Function { name: "MPI_Bsend_init", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Bsend_init_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Buffer_attach", role: Role::Function, fortran: true, args: &[val("buffer", Buffer), val("size", Count)] },
    Function { name: "MPI_Buffer_attach_c", role: Role::Function, fortran: false, args: &[val("buffer", Buffer), val("size", LargeCount)] },
    Function { name: "MPI_Buffer_detach", role: Role::Function, fortran: true, args: &[ptr("buffer_addr", Other, Out), ptr("size", Count, Out)] },
    Function { name: "MPI_Buffer_detach_c", role: Role::Function, fortran: false, args: &[ptr("buffer_addr", Other, Out), ptr("size", LargeCount, Out)] },
    Function { name: "MPI_Buffer_flush", role: Role::Function, fortran: true, args: &[] },
    Function { name: "MPI_Buffer_iflush", role: Role::Function, fortran: true, args: &[ptr("request", Request, Out)] },
    Function { name: "MPI_Cancel", role: Role::Point2Point, fortran: true, args: &[ptr("request", Request, In)] },
    Function { name: "MPI_Cart_coords", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("rank", Rank), val("maxdims", Int), arr("coords", Int, Out)] },
    Function { name: "MPI_Cart_create", role: Role::Function, fortran: true, args: &[val("comm_old", Comm), val("ndims", Int), arr("dims", Int, In), arr("periods", Flag, In), val("reorder", Flag), ptr("comm_cart", Comm, Out)] },
    Function { name: "MPI_Cart_get", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("maxdims", Int), arr("dims", Int, Out), arr("periods", Flag, Out), arr("coords", Int, Out)] },
    Function { name: "MPI_Cart_map", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("ndims", Int), arr("dims", Int, In), arr("periods", Flag, In), ptr("newrank", Rank, Out)] },
    Function { name: "MPI_Cart_rank", role: Role::Function, fortran: true, args: &[val("comm", Comm), arr("coords", Int, In), ptr("rank", Rank, Out)] },
    Function { name: "MPI_Cart_shift", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("direction", Int), val("disp", Int), ptr("rank_source", Rank, Out), ptr("rank_dest", Rank, Out)] },
    Function { name: "MPI_Cart_sub", role: Role::Function, fortran: true, args: &[val("comm", Comm), arr("remain_dims", Flag, In), ptr("newcomm", Comm, Out)] },
    Function { name: "MPI_Cartdim_get", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("ndims", Int, Out)] },
    Function { name: "MPI_Close_port", role: Role::Function, fortran: true, args: &[ptr("port_name", String, In)] },
    Function { name: "MPI_Comm_accept", role: Role::Function, fortran: true, args: &[ptr("port_name", String, In), val("info", Info), val("root", Rank), val("comm", Comm), ptr("newcomm", Comm, Out)] },
    Function { name: "MPI_Comm_attach_buffer", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("buffer", Buffer), val("size", Count)] },
    Function { name: "MPI_Comm_attach_buffer_c", role: Role::Function, fortran: false, args: &[val("comm", Comm), val("buffer", Buffer), val("size", LargeCount)] },
    Function { name: "MPI_Comm_call_errhandler", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("errorcode", Int)] },
    Function { name: "MPI_Comm_compare", role: Role::Function, fortran: true, args: &[val("comm1", Comm), val("comm2", Comm), ptr("result", Int, Out)] },
    Function { name: "MPI_Comm_connect", role: Role::Function, fortran: true, args: &[ptr("port_name", String, In), val("info", Info), val("root", Rank), val("comm", Comm), ptr("newcomm", Comm, Out)] },
    Function { name: "MPI_Comm_create", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("group", Group), ptr("newcomm", Comm, Out)] },
    Function { name: "MPI_Comm_create_errhandler", role: Role::Function, fortran: true, args: &[val("comm_errhandler_fn", Callback), ptr("errhandler", Errhandler, Out)] },
    Function { name: "MPI_Comm_create_from_group", role: Role::Function, fortran: true, args: &[val("group", Group), ptr("stringtag", String, In), val("info", Info), val("errhandler", Errhandler), ptr("newcomm", Comm, Out)] },
    Function { name: "MPI_Comm_create_group", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("group", Group), val("tag", Tag), ptr("newcomm", Comm, Out)] },
    Function { name: "MPI_Comm_create_keyval", role: Role::Function, fortran: true, args: &[val("comm_copy_attr_fn", Callback), val("comm_delete_attr_fn", Callback), ptr("comm_keyval", Keyval, Out), ptr("extra_state", Other, In)] },
    Function { name: "MPI_Comm_delete_attr", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("comm_keyval", Keyval)] },
    Function { name: "MPI_Comm_detach_buffer", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("buffer_addr", Other, Out), ptr("size", Count, Out)] },
    Function { name: "MPI_Comm_detach_buffer_c", role: Role::Function, fortran: false, args: &[val("comm", Comm), ptr("buffer_addr", Other, Out), ptr("size", LargeCount, Out)] },
    Function { name: "MPI_Comm_disconnect", role: Role::Function, fortran: true, args: &[ptr("comm", Comm, InOut)] },
    Function { name: "MPI_Comm_dup", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("newcomm", Comm, Out)] },
    Function { name: "MPI_Comm_dup_with_info", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("info", Info), ptr("newcomm", Comm, Out)] },
    Function { name: "MPI_Comm_flush_buffer", role: Role::Function, fortran: true, args: &[val("comm", Comm)] },
    Function { name: "MPI_Comm_free", role: Role::Function, fortran: true, args: &[ptr("comm", Comm, InOut)] },
    Function { name: "MPI_Comm_free_keyval", role: Role::Function, fortran: true, args: &[ptr("comm_keyval", Keyval, InOut)] },
    Function { name: "MPI_Comm_get_attr", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("comm_keyval", Keyval), ptr("attribute_val", Other, Out), ptr("flag", Flag, Out)] },
    Function { name: "MPI_Comm_get_errhandler", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("errhandler", Errhandler, Out)] },
    Function { name: "MPI_Comm_get_info", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("info_used", Info, Out)] },
    Function { name: "MPI_Comm_get_name", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("comm_name", String, Out), ptr("resultlen", Int, Out)] },
    Function { name: "MPI_Comm_get_parent", role: Role::Function, fortran: true, args: &[ptr("parent", Comm, Out)] },
    Function { name: "MPI_Comm_group", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("group", Group, Out)] },
    Function { name: "MPI_Comm_idup", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("newcomm", Comm, Out), ptr("request", Request, Out)] },
    Function { name: "MPI_Comm_idup_with_info", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("info", Info), ptr("newcomm", Comm, Out), ptr("request", Request, Out)] },
    Function { name: "MPI_Comm_iflush_buffer", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Comm_join", role: Role::Function, fortran: true, args: &[val("fd", Int), ptr("intercomm", Comm, Out)] },
    Function { name: "MPI_Comm_rank", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("rank", Rank, Out)] },
    Function { name: "MPI_Comm_remote_group", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("group", Group, Out)] },
    Function { name: "MPI_Comm_remote_size", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("size", Int, Out)] },
    Function { name: "MPI_Comm_set_attr", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("comm_keyval", Keyval), ptr("attribute_val", Other, In)] },
    Function { name: "MPI_Comm_set_errhandler", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("errhandler", Errhandler)] },
    Function { name: "MPI_Comm_set_info", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("info", Info)] },
    Function { name: "MPI_Comm_set_name", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("comm_name", String, In)] },
    Function { name: "MPI_Comm_size", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("size", Int, Out)] },
    Function { name: "MPI_Comm_spawn", role: Role::Function, fortran: true, args: &[ptr("command", String, In), arr("argv", String, In), val("maxprocs", Int), val("info", Info), val("root", Rank), val("comm", Comm), ptr("intercomm", Comm, Out), arr("array_of_errcodes", Int, Out)] },
    Function { name: "MPI_Comm_spawn_multiple", role: Role::Function, fortran: true, args: &[val("count", Int), arr("array_of_commands", String, In), arr("array_of_argv", String, In), arr("array_of_maxprocs", Int, In), arr("array_of_info", Info, In), val("root", Rank), val("comm", Comm), ptr("intercomm", Comm, Out), arr("array_of_errcodes", Int, Out)] },
    Function { name: "MPI_Comm_split", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("color", Int), val("key", Int), ptr("newcomm", Comm, Out)] },
    Function { name: "MPI_Comm_split_type", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("split_type", Int), val("key", Int), val("info", Info), ptr("newcomm", Comm, Out)] },
    Function { name: "MPI_Comm_test_inter", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("flag", Flag, Out)] },
    Function { name: "MPI_Compare_and_swap", role: Role::Rma, fortran: true, args: &[val("origin_addr", Buffer), val("compare_addr", Buffer), val("result_addr", Buffer), val("datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("win", Win)] },
    Function { name: "MPI_Dims_create", role: Role::Function, fortran: true, args: &[val("nnodes", Int), val("ndims", Int), arr("dims", Int, InOut)] },
    Function { name: "MPI_Dist_graph_create", role: Role::Function, fortran: true, args: &[val("comm_old", Comm), val("n", Int), arr("sources", Rank, In), arr("degrees", Int, In), arr("destinations", Rank, In), arr("weights", Int, In), val("info", Info), val("reorder", Flag), ptr("comm_dist_graph", Comm, Out)] },
    Function { name: "MPI_Dist_graph_create_adjacent", role: Role::Function, fortran: true, args: &[val("comm_old", Comm), val("indegree", Int), arr("sources", Rank, In), arr("sourceweights", Int, In), val("outdegree", Int), arr("destinations", Rank, In), arr("destweights", Int, In), val("info", Info), val("reorder", Flag), ptr("comm_dist_graph", Comm, Out)] },
    Function { name: "MPI_Dist_graph_neighbors", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("maxindegree", Int), arr("sources", Rank, Out), arr("sourceweights", Int, Out), val("maxoutdegree", Int), arr("destinations", Rank, Out), arr("destweights", Int, Out)] },
    Function { name: "MPI_Dist_graph_neighbors_count", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("indegree", Int, Out), ptr("outdegree", Int, Out), ptr("weighted", Flag, Out)] },
    Function { name: "MPI_Errhandler_create", role: Role::Function, fortran: true, args: &[val("function", Callback), ptr("errhandler", Errhandler, Out)] },
    Function { name: "MPI_Errhandler_free", role: Role::Function, fortran: true, args: &[ptr("errhandler", Errhandler, InOut)] },
    Function { name: "MPI_Errhandler_get", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("errhandler", Errhandler, Out)] },
    Function { name: "MPI_Errhandler_set", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("errhandler", Errhandler)] },
    Function { name: "MPI_Error_class", role: Role::Function, fortran: true, args: &[val("errorcode", Int), ptr("errorclass", Int, Out)] },
    Function { name: "MPI_Error_string", role: Role::Function, fortran: true, args: &[val("errorcode", Int), ptr("string", String, Out), ptr("resultlen", Int, Out)] },
    Function { name: "MPI_Exscan", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", Count), val("datatype", Datatype), val("op", Op), val("comm", Comm)] },
    Function { name: "MPI_Exscan_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("op", Op), val("comm", Comm)] },
    Function { name: "MPI_Exscan_init", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", Count), val("datatype", Datatype), val("op", Op), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Exscan_init_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("op", Op), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Fetch_and_op", role: Role::Rma, fortran: true, args: &[val("origin_addr", Buffer), val("result_addr", Buffer), val("datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("op", Op), val("win", Win)] },
    Function { name: "MPI_File_call_errhandler", role: Role::Function, fortran: true, args: &[val("fh", File), val("errorcode", Int)] },
    Function { name: "MPI_File_close", role: Role::FileIo, fortran: true, args: &[ptr("fh", File, InOut)] },
    Function { name: "MPI_File_create_errhandler", role: Role::Function, fortran: true, args: &[val("file_errhandler_fn", Callback), ptr("errhandler", Errhandler, Out)] },
    Function { name: "MPI_File_delete", role: Role::FileIo, fortran: true, args: &[ptr("filename", String, In), val("info", Info)] },
    Function { name: "MPI_File_get_amode", role: Role::FileIo, fortran: true, args: &[val("fh", File), ptr("amode", Int, Out)] },
    Function { name: "MPI_File_get_atomicity", role: Role::FileIo, fortran: true, args: &[val("fh", File), ptr("flag", Flag, Out)] },
    Function { name: "MPI_File_get_byte_offset", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("offset", Offset), ptr("disp", Offset, Out)] },
    Function { name: "MPI_File_get_errhandler", role: Role::Function, fortran: true, args: &[val("file", File), ptr("errhandler", Errhandler, Out)] },
    Function { name: "MPI_File_get_group", role: Role::FileIo, fortran: true, args: &[val("fh", File), ptr("group", Group, Out)] },
    Function { name: "MPI_File_get_info", role: Role::FileIo, fortran: true, args: &[val("fh", File), ptr("info_used", Info, Out)] },
    Function { name: "MPI_File_get_position", role: Role::FileIo, fortran: true, args: &[val("fh", File), ptr("offset", Offset, Out)] },
    Function { name: "MPI_File_get_position_shared", role: Role::FileIo, fortran: true, args: &[val("fh", File), ptr("offset", Offset, Out)] },
    Function { name: "MPI_File_get_size", role: Role::FileIo, fortran: true, args: &[val("fh", File), ptr("size", Offset, Out)] },
    Function { name: "MPI_File_get_type_extent", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("datatype", Datatype), ptr("extent", Address, Out)] },
    Function { name: "MPI_File_get_type_extent_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("datatype", Datatype), ptr("extent", LargeCount, Out)] },
    Function { name: "MPI_File_get_view", role: Role::FileIo, fortran: true, args: &[val("fh", File), ptr("disp", Offset, Out), ptr("etype", Datatype, Out), ptr("filetype", Datatype, Out), ptr("datarep", String, Out)] },
    Function { name: "MPI_File_iread", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iread_all", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iread_all_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iread_at", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iread_at_all", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iread_at_all_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iread_at_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iread_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iread_shared", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iread_shared_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iwrite", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iwrite_all", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iwrite_all_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iwrite_at", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iwrite_at_all", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iwrite_at_all_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iwrite_at_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iwrite_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iwrite_shared", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_iwrite_shared_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("request", Request, Out)] },
    Function { name: "MPI_File_open", role: Role::FileIo, fortran: true, args: &[val("comm", Comm), ptr("filename", String, In), val("amode", Int), val("info", Info), ptr("fh", File, Out)] },
    Function { name: "MPI_File_preallocate", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("size", Offset)] },
    Function { name: "MPI_File_read", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_all", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_all_begin", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype)] },
    Function { name: "MPI_File_read_all_begin_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype)] },
    Function { name: "MPI_File_read_all_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_all_end", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_at", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_at_all", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_at_all_begin", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", Count), val("datatype", Datatype)] },
    Function { name: "MPI_File_read_at_all_begin_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype)] },
    Function { name: "MPI_File_read_at_all_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_at_all_end", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_at_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_ordered", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_ordered_begin", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype)] },
    Function { name: "MPI_File_read_ordered_begin_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype)] },
    Function { name: "MPI_File_read_ordered_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_ordered_end", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_shared", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_read_shared_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_seek", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("offset", Offset), val("whence", Int)] },
    Function { name: "MPI_File_seek_shared", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("offset", Offset), val("whence", Int)] },
    Function { name: "MPI_File_set_atomicity", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("flag", Flag)] },
    Function { name: "MPI_File_set_errhandler", role: Role::Function, fortran: true, args: &[val("file", File), val("errhandler", Errhandler)] },
    Function { name: "MPI_File_set_info", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("info", Info)] },
    Function { name: "MPI_File_set_size", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("size", Offset)] },
    Function { name: "MPI_File_set_view", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("disp", Offset), val("etype", Datatype), val("filetype", Datatype), ptr("datarep", String, In), val("info", Info)] },
    Function { name: "MPI_File_sync", role: Role::FileIo, fortran: true, args: &[val("fh", File)] },
    Function { name: "MPI_File_write", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_all", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_all_begin", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype)] },
    Function { name: "MPI_File_write_all_begin_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype)] },
    Function { name: "MPI_File_write_all_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_all_end", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_at", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_at_all", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_at_all_begin", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", Count), val("datatype", Datatype)] },
    Function { name: "MPI_File_write_at_all_begin_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype)] },
    Function { name: "MPI_File_write_at_all_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_at_all_end", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_at_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("offset", Offset), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_ordered", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_ordered_begin", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype)] },
    Function { name: "MPI_File_write_ordered_begin_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype)] },
    Function { name: "MPI_File_write_ordered_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_ordered_end", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_shared", role: Role::FileIo, fortran: true, args: &[val("fh", File), val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_File_write_shared_c", role: Role::FileIo, fortran: false, args: &[val("fh", File), val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("status", Status, Out)] },
    Function { name: "MPI_Finalize", role: Role::Function, fortran: true, args: &[] },
    Function { name: "MPI_Finalized", role: Role::Function, fortran: true, args: &[ptr("flag", Flag, Out)] },
    Function { name: "MPI_Free_mem", role: Role::Function, fortran: true, args: &[val("base", Buffer)] },
    Function { name: "MPI_Gather", role: Role::CollAll2One, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("root", Rank), val("comm", Comm)] },
    Function { name: "MPI_Gather_c", role: Role::CollAll2One, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("root", Rank), val("comm", Comm)] },
    Function { name: "MPI_Gather_init", role: Role::CollAll2One, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Gather_init_c", role: Role::CollAll2One, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Gatherv", role: Role::CollAll2One, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("displs", Int, In), val("recvtype", Datatype), val("root", Rank), val("comm", Comm)] },
    Function { name: "MPI_Gatherv_c", role: Role::CollAll2One, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("displs", Address, In), val("recvtype", Datatype), val("root", Rank), val("comm", Comm)] },
    Function { name: "MPI_Gatherv_init", role: Role::CollAll2One, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("displs", Int, In), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Gatherv_init_c", role: Role::CollAll2One, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("displs", Address, In), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Get", role: Role::Rma, fortran: true, args: &[val("origin_addr", Buffer), val("origin_count", Count), val("origin_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", Count), val("target_datatype", Datatype), val("win", Win)] },
    Function { name: "MPI_Get_accumulate", role: Role::Rma, fortran: true, args: &[val("origin_addr", Buffer), val("origin_count", Count), val("origin_datatype", Datatype), val("result_addr", Buffer), val("result_count", Count), val("result_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", Count), val("target_datatype", Datatype), val("op", Op), val("win", Win)] },
    Function { name: "MPI_Get_accumulate_c", role: Role::Rma, fortran: false, args: &[val("origin_addr", Buffer), val("origin_count", LargeCount), val("origin_datatype", Datatype), val("result_addr", Buffer), val("result_count", LargeCount), val("result_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", LargeCount), val("target_datatype", Datatype), val("op", Op), val("win", Win)] },
    Function { name: "MPI_Get_address", role: Role::Function, fortran: true, args: &[val("location", Buffer), ptr("address", Address, Out)] },
    Function { name: "MPI_Get_c", role: Role::Rma, fortran: false, args: &[val("origin_addr", Buffer), val("origin_count", LargeCount), val("origin_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", LargeCount), val("target_datatype", Datatype), val("win", Win)] },
    Function { name: "MPI_Get_count", role: Role::Function, fortran: true, args: &[ptr("status", Status, In), val("datatype", Datatype), ptr("count", Count, Out)] },
    Function { name: "MPI_Get_count_c", role: Role::Function, fortran: false, args: &[ptr("status", Status, In), val("datatype", Datatype), ptr("count", LargeCount, Out)] },
    Function { name: "MPI_Get_elements", role: Role::Function, fortran: true, args: &[ptr("status", Status, In), val("datatype", Datatype), ptr("count", Count, Out)] },
    Function { name: "MPI_Get_elements_c", role: Role::Function, fortran: false, args: &[ptr("status", Status, In), val("datatype", Datatype), ptr("count", LargeCount, Out)] },
    Function { name: "MPI_Get_elements_x", role: Role::Function, fortran: true, args: &[ptr("status", Status, In), val("datatype", Datatype), ptr("count", LargeCount, Out)] },
    Function { name: "MPI_Get_hw_resource_info", role: Role::Function, fortran: true, args: &[ptr("hw_info", Info, Out)] },
    Function { name: "MPI_Get_processor_name", role: Role::Function, fortran: true, args: &[ptr("name", String, Out), ptr("resultlen", Int, Out)] },
    Function { name: "MPI_Graph_create", role: Role::Function, fortran: true, args: &[val("comm_old", Comm), val("nnodes", Int), arr("index", Int, In), arr("edges", Rank, In), val("reorder", Flag), ptr("comm_graph", Comm, Out)] },
    Function { name: "MPI_Graph_get", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("maxindex", Int), val("maxedges", Int), arr("index", Int, Out), arr("edges", Rank, Out)] },
    Function { name: "MPI_Graph_map", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("nnodes", Int), arr("index", Int, In), arr("edges", Rank, In), ptr("newrank", Rank, Out)] },
    Function { name: "MPI_Graph_neighbors", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("rank", Rank), val("maxneighbors", Int), arr("neighbors", Rank, Out)] },
    Function { name: "MPI_Graph_neighbors_count", role: Role::Function, fortran: true, args: &[val("comm", Comm), val("rank", Rank), ptr("nneighbors", Int, Out)] },
    Function { name: "MPI_Graphdims_get", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("nnodes", Int, Out), ptr("nedges", Int, Out)] },
    Function { name: "MPI_Grequest_complete", role: Role::Function, fortran: true, args: &[val("request", Request)] },
    Function { name: "MPI_Grequest_start", role: Role::Function, fortran: true, args: &[val("query_fn", Callback), val("free_fn", Callback), val("cancel_fn", Callback), ptr("extra_state", Other, In), ptr("request", Request, Out)] },
    Function { name: "MPI_Group_compare", role: Role::Function, fortran: true, args: &[val("group1", Group), val("group2", Group), ptr("result", Int, Out)] },
    Function { name: "MPI_Group_difference", role: Role::Function, fortran: true, args: &[val("group1", Group), val("group2", Group), ptr("newgroup", Group, Out)] },
    Function { name: "MPI_Group_excl", role: Role::Function, fortran: true, args: &[val("group", Group), val("n", Int), arr("ranks", Rank, In), ptr("newgroup", Group, Out)] },
    Function { name: "MPI_Group_free", role: Role::Function, fortran: true, args: &[ptr("group", Group, InOut)] },
    Function { name: "MPI_Group_from_session_pset", role: Role::Function, fortran: true, args: &[val("session", Session), ptr("pset_name", String, In), ptr("newgroup", Group, Out)] },
    Function { name: "MPI_Group_incl", role: Role::Function, fortran: true, args: &[val("group", Group), val("n", Int), arr("ranks", Rank, In), ptr("newgroup", Group, Out)] },
    Function { name: "MPI_Group_intersection", role: Role::Function, fortran: true, args: &[val("group1", Group), val("group2", Group), ptr("newgroup", Group, Out)] },
    Function { name: "MPI_Group_range_excl", role: Role::Function, fortran: true, args: &[val("group", Group), val("n", Int), arr("ranges", Rank, In), ptr("newgroup", Group, Out)] },
    Function { name: "MPI_Group_range_incl", role: Role::Function, fortran: true, args: &[val("group", Group), val("n", Int), arr("ranges", Rank, In), ptr("newgroup", Group, Out)] },
    Function { name: "MPI_Group_rank", role: Role::Function, fortran: true, args: &[val("group", Group), ptr("rank", Rank, Out)] },
    Function { name: "MPI_Group_size", role: Role::Function, fortran: true, args: &[val("group", Group), ptr("size", Int, Out)] },
    Function { name: "MPI_Group_translate_ranks", role: Role::Function, fortran: true, args: &[val("group1", Group), val("n", Int), arr("ranks1", Rank, In), val("group2", Group), arr("ranks2", Rank, Out)] },
    Function { name: "MPI_Group_union", role: Role::Function, fortran: true, args: &[val("group1", Group), val("group2", Group), ptr("newgroup", Group, Out)] },
    Function { name: "MPI_Iallgather", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Iallgather_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Iallgatherv", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("displs", Int, In), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Iallgatherv_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("displs", Address, In), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Iallreduce", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", Count), val("datatype", Datatype), val("op", Op), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Iallreduce_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("op", Op), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ialltoall", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ialltoall_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ialltoallv", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("sdispls", Int, In), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("rdispls", Int, In), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ialltoallv_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("sdispls", Address, In), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("rdispls", Address, In), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ialltoallw", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("sdispls", Int, In), arr("sendtypes", Datatype, In), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("rdispls", Int, In), arr("recvtypes", Datatype, In), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ialltoallw_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("sdispls", Address, In), arr("sendtypes", Datatype, In), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("rdispls", Address, In), arr("recvtypes", Datatype, In), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ibarrier", role: Role::Barrier, fortran: true, args: &[val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ibcast", role: Role::CollOne2All, fortran: true, args: &[val("buffer", Buffer), val("count", Count), val("datatype", Datatype), val("root", Rank), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ibcast_c", role: Role::CollOne2All, fortran: false, args: &[val("buffer", Buffer), val("count", LargeCount), val("datatype", Datatype), val("root", Rank), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ibsend", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ibsend_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Iexscan", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", Count), val("datatype", Datatype), val("op", Op), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Iexscan_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("op", Op), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Igather", role: Role::CollAll2One, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Igather_c", role: Role::CollAll2One, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Igatherv", role: Role::CollAll2One, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("displs", Int, In), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Igatherv_c", role: Role::CollAll2One, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("displs", Address, In), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Improbe", role: Role::Point2Point, fortran: true, args: &[val("source", Rank), val("tag", Tag), val("comm", Comm), ptr("flag", Flag, Out), ptr("message", Message, Out), ptr("status", Status, Out)] },
    Function { name: "MPI_Imrecv", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("message", Message, InOut), ptr("request", Request, Out)] },
    Function { name: "MPI_Imrecv_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("message", Message, InOut), ptr("request", Request, Out)] },
    Function { name: "MPI_Ineighbor_allgather", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ineighbor_allgather_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ineighbor_allgatherv", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("displs", Int, In), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ineighbor_allgatherv_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("displs", Address, In), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ineighbor_alltoall", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ineighbor_alltoall_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ineighbor_alltoallv", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("sdispls", Int, In), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("rdispls", Int, In), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ineighbor_alltoallv_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("sdispls", Address, In), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("rdispls", Address, In), val("recvtype", Datatype), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ineighbor_alltoallw", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("sdispls", Address, In), arr("sendtypes", Datatype, In), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("rdispls", Address, In), arr("recvtypes", Datatype, In), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ineighbor_alltoallw_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("sdispls", Address, In), arr("sendtypes", Datatype, In), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("rdispls", Address, In), arr("recvtypes", Datatype, In), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Info_create", role: Role::Function, fortran: true, args: &[ptr("info", Info, Out)] },
    Function { name: "MPI_Info_create_env", role: Role::Function, fortran: true, args: &[val("argc", Int), arr("argv", Other, InOut), ptr("info", Info, Out)] },
    Function { name: "MPI_Info_delete", role: Role::Function, fortran: true, args: &[val("info", Info), ptr("key", String, In)] },
    Function { name: "MPI_Info_dup", role: Role::Function, fortran: true, args: &[val("info", Info), ptr("newinfo", Info, Out)] },
    Function { name: "MPI_Info_free", role: Role::Function, fortran: true, args: &[ptr("info", Info, InOut)] },
    Function { name: "MPI_Info_get", role: Role::Function, fortran: true, args: &[val("info", Info), ptr("key", String, In), val("valuelen", Int), ptr("value", String, Out), ptr("flag", Flag, Out)] },
    Function { name: "MPI_Info_get_nkeys", role: Role::Function, fortran: true, args: &[val("info", Info), ptr("nkeys", Int, Out)] },
    Function { name: "MPI_Info_get_nthkey", role: Role::Function, fortran: true, args: &[val("info", Info), val("n", Int), ptr("key", String, Out)] },
    Function { name: "MPI_Info_get_string", role: Role::Function, fortran: true, args: &[val("info", Info), ptr("key", String, In), ptr("buflen", Int, InOut), ptr("value", String, Out), ptr("flag", Flag, Out)] },
    Function { name: "MPI_Info_get_valuelen", role: Role::Function, fortran: true, args: &[val("info", Info), ptr("key", String, In), ptr("valuelen", Int, Out), ptr("flag", Flag, Out)] },
    Function { name: "MPI_Info_set", role: Role::Function, fortran: true, args: &[val("info", Info), ptr("key", String, In), ptr("value", String, In)] },
    Function { name: "MPI_Init", role: Role::Function, fortran: true, args: &[ptr("argc", Int, InOut), arr("argv", Other, InOut)] },
    Function { name: "MPI_Init_thread", role: Role::Function, fortran: true, args: &[ptr("argc", Int, InOut), ptr("argv", Other, InOut), val("required", Int), ptr("provided", Int, Out)] },
    Function { name: "MPI_Initialized", role: Role::Function, fortran: true, args: &[ptr("flag", Flag, Out)] },
    Function { name: "MPI_Intercomm_create", role: Role::Function, fortran: true, args: &[val("local_comm", Comm), val("local_leader", Rank), val("peer_comm", Comm), val("remote_leader", Rank), val("tag", Tag), ptr("newintercomm", Comm, Out)] },
    Function { name: "MPI_Intercomm_create_from_groups", role: Role::Function, fortran: true, args: &[val("local_group", Group), val("local_leader", Rank), val("remote_group", Group), val("remote_leader", Rank), ptr("stringtag", String, In), val("info", Info), val("errhandler", Errhandler), ptr("newintercomm", Comm, Out)] },
    Function { name: "MPI_Intercomm_merge", role: Role::Function, fortran: true, args: &[val("intercomm", Comm), val("high", Flag), ptr("newintracomm", Comm, Out)] },
    Function { name: "MPI_Iprobe", role: Role::Point2Point, fortran: true, args: &[val("source", Rank), val("tag", Tag), val("comm", Comm), ptr("flag", Flag, Out), ptr("status", Status, Out)] },
    Function { name: "MPI_Irecv", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("source", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Irecv_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("source", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ireduce", role: Role::CollAll2One, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", Count), val("datatype", Datatype), val("op", Op), val("root", Rank), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ireduce_c", role: Role::CollAll2One, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("op", Op), val("root", Rank), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ireduce_scatter", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), arr("recvcounts", Count, In), val("datatype", Datatype), val("op", Op), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ireduce_scatter_block", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("recvcount", Count), val("datatype", Datatype), val("op", Op), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ireduce_scatter_block_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("recvcount", LargeCount), val("datatype", Datatype), val("op", Op), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ireduce_scatter_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), val("datatype", Datatype), val("op", Op), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Irsend", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Irsend_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Is_thread_main", role: Role::Function, fortran: true, args: &[ptr("flag", Flag, Out)] },
    Function { name: "MPI_Iscan", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", Count), val("datatype", Datatype), val("op", Op), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Iscan_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("op", Op), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Iscatter", role: Role::CollOne2All, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Iscatter_c", role: Role::CollOne2All, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Iscatterv", role: Role::CollOne2All, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("displs", Int, In), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Iscatterv_c", role: Role::CollOne2All, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("displs", Address, In), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Isend", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Isend_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Isendrecv", role: Role::Point2Point, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("dest", Rank), val("sendtag", Tag), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("source", Rank), val("recvtag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Isendrecv_c", role: Role::Point2Point, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("dest", Rank), val("sendtag", Tag), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("source", Rank), val("recvtag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Isendrecv_replace", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("sendtag", Tag), val("source", Rank), val("recvtag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Isendrecv_replace_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("sendtag", Tag), val("source", Rank), val("recvtag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Issend", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Issend_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Keyval_create", role: Role::Function, fortran: true, args: &[val("copy_fn", Callback), val("delete_fn", Callback), ptr("keyval", Keyval, Out), val("extra_state", Other)] },
    Function { name: "MPI_Keyval_free", role: Role::Function, fortran: true, args: &[ptr("keyval", Keyval, InOut)] },
    Function { name: "MPI_Lookup_name", role: Role::Function, fortran: true, args: &[ptr("service_name", String, In), val("info", Info), ptr("port_name", String, Out)] },
    Function { name: "MPI_Mprobe", role: Role::Point2Point, fortran: true, args: &[val("source", Rank), val("tag", Tag), val("comm", Comm), ptr("message", Message, Out), ptr("status", Status, Out)] },
    Function { name: "MPI_Mrecv", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), ptr("message", Message, InOut), ptr("status", Status, Out)] },
    Function { name: "MPI_Mrecv_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), ptr("message", Message, InOut), ptr("status", Status, Out)] },
    Function { name: "MPI_Neighbor_allgather", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Neighbor_allgather_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Neighbor_allgather_init", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Neighbor_allgather_init_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Neighbor_allgatherv", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("displs", Int, In), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Neighbor_allgatherv_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("displs", Address, In), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Neighbor_allgatherv_init", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("displs", Int, In), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Neighbor_allgatherv_init_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("displs", Address, In), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Neighbor_alltoall", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Neighbor_alltoall_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Neighbor_alltoall_init", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Neighbor_alltoall_init_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Neighbor_alltoallv", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("sdispls", Int, In), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("rdispls", Int, In), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Neighbor_alltoallv_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("sdispls", Address, In), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("rdispls", Address, In), val("recvtype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Neighbor_alltoallv_init", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("sdispls", Int, In), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("rdispls", Int, In), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Neighbor_alltoallv_init_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("sdispls", Address, In), val("sendtype", Datatype), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("rdispls", Address, In), val("recvtype", Datatype), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Neighbor_alltoallw", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("sdispls", Address, In), arr("sendtypes", Datatype, In), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("rdispls", Address, In), arr("recvtypes", Datatype, In), val("comm", Comm)] },
    Function { name: "MPI_Neighbor_alltoallw_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("sdispls", Address, In), arr("sendtypes", Datatype, In), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("rdispls", Address, In), arr("recvtypes", Datatype, In), val("comm", Comm)] },
    Function { name: "MPI_Neighbor_alltoallw_init", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("sdispls", Address, In), arr("sendtypes", Datatype, In), val("recvbuf", Buffer), arr("recvcounts", Count, In), arr("rdispls", Address, In), arr("recvtypes", Datatype, In), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Neighbor_alltoallw_init_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("sdispls", Address, In), arr("sendtypes", Datatype, In), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), arr("rdispls", Address, In), arr("recvtypes", Datatype, In), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Op_commutative", role: Role::Function, fortran: true, args: &[val("op", Op), ptr("commute", Flag, Out)] },
    Function { name: "MPI_Op_create", role: Role::Function, fortran: true, args: &[val("user_fn", Callback), val("commute", Flag), ptr("op", Op, Out)] },
    Function { name: "MPI_Op_create_c", role: Role::Function, fortran: false, args: &[val("user_fn", Callback), val("commute", Flag), ptr("op", Op, Out)] },
    Function { name: "MPI_Op_free", role: Role::Function, fortran: true, args: &[ptr("op", Op, InOut)] },
    Function { name: "MPI_Open_port", role: Role::Function, fortran: true, args: &[val("info", Info), ptr("port_name", String, Out)] },
    Function { name: "MPI_Pack", role: Role::Function, fortran: true, args: &[val("inbuf", Buffer), val("incount", Count), val("datatype", Datatype), val("outbuf", Buffer), val("outsize", Count), ptr("position", Int, InOut), val("comm", Comm)] },
    Function { name: "MPI_Pack_c", role: Role::Function, fortran: false, args: &[val("inbuf", Buffer), val("incount", LargeCount), val("datatype", Datatype), val("outbuf", Buffer), val("outsize", LargeCount), ptr("position", LargeCount, InOut), val("comm", Comm)] },
    Function { name: "MPI_Pack_external", role: Role::Function, fortran: true, args: &[ptr("datarep", String, In), val("inbuf", Buffer), val("incount", Count), val("datatype", Datatype), val("outbuf", Buffer), val("outsize", Address), ptr("position", Address, InOut)] },
    Function { name: "MPI_Pack_external_c", role: Role::Function, fortran: false, args: &[ptr("datarep", String, In), val("inbuf", Buffer), val("incount", LargeCount), val("datatype", Datatype), val("outbuf", Buffer), val("outsize", LargeCount), ptr("position", LargeCount, InOut)] },
    Function { name: "MPI_Pack_external_size", role: Role::Function, fortran: true, args: &[ptr("datarep", String, In), val("incount", Count), val("datatype", Datatype), ptr("size", Address, Out)] },
    Function { name: "MPI_Pack_external_size_c", role: Role::Function, fortran: false, args: &[ptr("datarep", String, In), val("incount", LargeCount), val("datatype", Datatype), ptr("size", LargeCount, Out)] },
    Function { name: "MPI_Pack_size", role: Role::Function, fortran: true, args: &[val("incount", Count), val("datatype", Datatype), val("comm", Comm), ptr("size", Count, Out)] },
    Function { name: "MPI_Pack_size_c", role: Role::Function, fortran: false, args: &[val("incount", LargeCount), val("datatype", Datatype), val("comm", Comm), ptr("size", LargeCount, Out)] },
    Function { name: "MPI_Parrived", role: Role::Point2Point, fortran: true, args: &[val("request", Request), val("partition", Int), ptr("flag", Flag, Out)] },
    Function { name: "MPI_Pcontrol", role: Role::Function, fortran: true, args: &[val("level", Int), val("varargs", Other)] },
    Function { name: "MPI_Pready", role: Role::Point2Point, fortran: true, args: &[val("partition", Int), val("request", Request)] },
    Function { name: "MPI_Pready_list", role: Role::Point2Point, fortran: true, args: &[val("length", Int), arr("array_of_partitions", Int, In), val("request", Request)] },
    Function { name: "MPI_Pready_range", role: Role::Point2Point, fortran: true, args: &[val("partition_low", Int), val("partition_high", Int), val("request", Request)] },
    Function { name: "MPI_Precv_init", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("partitions", Int), val("count", LargeCount), val("datatype", Datatype), val("source", Rank), val("tag", Tag), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Probe", role: Role::Point2Point, fortran: true, args: &[val("source", Rank), val("tag", Tag), val("comm", Comm), ptr("status", Status, Out)] },
    Function { name: "MPI_Psend_init", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("partitions", Int), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Publish_name", role: Role::Function, fortran: true, args: &[ptr("service_name", String, In), val("info", Info), ptr("port_name", String, In)] },
    Function { name: "MPI_Put", role: Role::Rma, fortran: true, args: &[val("origin_addr", Buffer), val("origin_count", Count), val("origin_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", Count), val("target_datatype", Datatype), val("win", Win)] },
    Function { name: "MPI_Put_c", role: Role::Rma, fortran: false, args: &[val("origin_addr", Buffer), val("origin_count", LargeCount), val("origin_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", LargeCount), val("target_datatype", Datatype), val("win", Win)] },
    Function { name: "MPI_Query_thread", role: Role::Function, fortran: true, args: &[ptr("provided", Int, Out)] },
    Function { name: "MPI_Raccumulate", role: Role::Rma, fortran: true, args: &[val("origin_addr", Buffer), val("origin_count", Count), val("origin_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", Count), val("target_datatype", Datatype), val("op", Op), val("win", Win), ptr("request", Request, Out)] },
    Function { name: "MPI_Raccumulate_c", role: Role::Rma, fortran: false, args: &[val("origin_addr", Buffer), val("origin_count", LargeCount), val("origin_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", LargeCount), val("target_datatype", Datatype), val("op", Op), val("win", Win), ptr("request", Request, Out)] },
    Function { name: "MPI_Recv", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("source", Rank), val("tag", Tag), val("comm", Comm), ptr("status", Status, Out)] },
    Function { name: "MPI_Recv_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("source", Rank), val("tag", Tag), val("comm", Comm), ptr("status", Status, Out)] },
    Function { name: "MPI_Recv_init", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("source", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Recv_init_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("source", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Reduce", role: Role::CollAll2One, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", Count), val("datatype", Datatype), val("op", Op), val("root", Rank), val("comm", Comm)] },
    Function { name: "MPI_Reduce_c", role: Role::CollAll2One, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("op", Op), val("root", Rank), val("comm", Comm)] },
    Function { name: "MPI_Reduce_init", role: Role::CollAll2One, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", Count), val("datatype", Datatype), val("op", Op), val("root", Rank), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Reduce_init_c", role: Role::CollAll2One, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("op", Op), val("root", Rank), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Reduce_local", role: Role::Function, fortran: true, args: &[val("inbuf", Buffer), val("inoutbuf", Buffer), val("count", Count), val("datatype", Datatype), val("op", Op)] },
    Function { name: "MPI_Reduce_local_c", role: Role::Function, fortran: false, args: &[val("inbuf", Buffer), val("inoutbuf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("op", Op)] },
    Function { name: "MPI_Reduce_scatter", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), arr("recvcounts", Count, In), val("datatype", Datatype), val("op", Op), val("comm", Comm)] },
    Function { name: "MPI_Reduce_scatter_block", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("recvcount", Count), val("datatype", Datatype), val("op", Op), val("comm", Comm)] },
    Function { name: "MPI_Reduce_scatter_block_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("recvcount", LargeCount), val("datatype", Datatype), val("op", Op), val("comm", Comm)] },
    Function { name: "MPI_Reduce_scatter_block_init", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("recvcount", Count), val("datatype", Datatype), val("op", Op), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Reduce_scatter_block_init_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("recvcount", LargeCount), val("datatype", Datatype), val("op", Op), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Reduce_scatter_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), val("datatype", Datatype), val("op", Op), val("comm", Comm)] },
    Function { name: "MPI_Reduce_scatter_init", role: Role::CollAll2All, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), arr("recvcounts", Count, In), val("datatype", Datatype), val("op", Op), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Reduce_scatter_init_c", role: Role::CollAll2All, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), arr("recvcounts", LargeCount, In), val("datatype", Datatype), val("op", Op), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Register_datarep", role: Role::Function, fortran: true, args: &[ptr("datarep", String, In), val("read_conversion_fn", Callback), val("write_conversion_fn", Callback), val("dtype_file_extent_fn", Callback), ptr("extra_state", Other, In)] },
    Function { name: "MPI_Register_datarep_c", role: Role::Function, fortran: false, args: &[ptr("datarep", String, In), val("read_conversion_fn", Callback), val("write_conversion_fn", Callback), val("dtype_file_extent_fn", Callback), ptr("extra_state", Other, In)] },
    Function { name: "MPI_Remove_error_class", role: Role::Function, fortran: true, args: &[val("errorclass", Int)] },
    Function { name: "MPI_Remove_error_code", role: Role::Function, fortran: true, args: &[val("errorcode", Int)] },
    Function { name: "MPI_Remove_error_string", role: Role::Function, fortran: true, args: &[val("errorcode", Int)] },
    Function { name: "MPI_Request_free", role: Role::Point2Point, fortran: true, args: &[ptr("request", Request, InOut)] },
    Function { name: "MPI_Request_get_status", role: Role::Point2Point, fortran: true, args: &[val("request", Request), ptr("flag", Flag, Out), ptr("status", Status, Out)] },
    Function { name: "MPI_Request_get_status_all", role: Role::Point2Point, fortran: true, args: &[val("count", Int), arr("array_of_requests", Request, In), ptr("flag", Flag, Out), arr("array_of_statuses", Status, Out)] },
    Function { name: "MPI_Request_get_status_any", role: Role::Point2Point, fortran: true, args: &[val("count", Int), arr("array_of_requests", Request, In), ptr("index", Int, Out), ptr("flag", Flag, Out), ptr("status", Status, Out)] },
    Function { name: "MPI_Request_get_status_some", role: Role::Point2Point, fortran: true, args: &[val("incount", Int), arr("array_of_requests", Request, In), ptr("outcount", Int, Out), arr("array_of_indices", Int, Out), arr("array_of_statuses", Status, Out)] },
    Function { name: "MPI_Rget", role: Role::Rma, fortran: true, args: &[val("origin_addr", Buffer), val("origin_count", Count), val("origin_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", Count), val("target_datatype", Datatype), val("win", Win), ptr("request", Request, Out)] },
    Function { name: "MPI_Rget_accumulate", role: Role::Rma, fortran: true, args: &[val("origin_addr", Buffer), val("origin_count", Count), val("origin_datatype", Datatype), val("result_addr", Buffer), val("result_count", Count), val("result_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", Count), val("target_datatype", Datatype), val("op", Op), val("win", Win), ptr("request", Request, Out)] },
    Function { name: "MPI_Rget_accumulate_c", role: Role::Rma, fortran: false, args: &[val("origin_addr", Buffer), val("origin_count", LargeCount), val("origin_datatype", Datatype), val("result_addr", Buffer), val("result_count", LargeCount), val("result_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", LargeCount), val("target_datatype", Datatype), val("op", Op), val("win", Win), ptr("request", Request, Out)] },
    Function { name: "MPI_Rget_c", role: Role::Rma, fortran: false, args: &[val("origin_addr", Buffer), val("origin_count", LargeCount), val("origin_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", LargeCount), val("target_datatype", Datatype), val("win", Win), ptr("request", Request, Out)] },
    Function { name: "MPI_Rput", role: Role::Rma, fortran: true, args: &[val("origin_addr", Buffer), val("origin_count", Count), val("origin_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", Count), val("target_datatype", Datatype), val("win", Win), ptr("request", Request, Out)] },
    Function { name: "MPI_Rput_c", role: Role::Rma, fortran: false, args: &[val("origin_addr", Buffer), val("origin_count", LargeCount), val("origin_datatype", Datatype), val("target_rank", Rank), val("target_disp", Address), val("target_count", LargeCount), val("target_datatype", Datatype), val("win", Win), ptr("request", Request, Out)] },
    Function { name: "MPI_Rsend", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm)] },
    Function { name: "MPI_Rsend_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm)] },
    Function { name: "MPI_Rsend_init", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Rsend_init_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Scan", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", Count), val("datatype", Datatype), val("op", Op), val("comm", Comm)] },
    Function { name: "MPI_Scan_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("op", Op), val("comm", Comm)] },
    Function { name: "MPI_Scan_init", role: Role::CollOther, fortran: true, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", Count), val("datatype", Datatype), val("op", Op), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Scan_init_c", role: Role::CollOther, fortran: false, args: &[val("sendbuf", Buffer), val("recvbuf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("op", Op), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Scatter", role: Role::CollOne2All, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("root", Rank), val("comm", Comm)] },
    Function { name: "MPI_Scatter_c", role: Role::CollOne2All, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("root", Rank), val("comm", Comm)] },
    Function { name: "MPI_Scatter_init", role: Role::CollOne2All, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Scatter_init_c", role: Role::CollOne2All, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Scatterv", role: Role::CollOne2All, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("displs", Int, In), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("root", Rank), val("comm", Comm)] },
    Function { name: "MPI_Scatterv_c", role: Role::CollOne2All, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("displs", Address, In), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("root", Rank), val("comm", Comm)] },
    Function { name: "MPI_Scatterv_init", role: Role::CollOne2All, fortran: true, args: &[val("sendbuf", Buffer), arr("sendcounts", Count, In), arr("displs", Int, In), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Scatterv_init_c", role: Role::CollOne2All, fortran: false, args: &[val("sendbuf", Buffer), arr("sendcounts", LargeCount, In), arr("displs", Address, In), val("sendtype", Datatype), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("root", Rank), val("comm", Comm), val("info", Info), ptr("request", Request, Out)] },
    Function { name: "MPI_Send", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm)] },
    Function { name: "MPI_Send_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm)] },
    Function { name: "MPI_Send_init", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Send_init_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Sendrecv", role: Role::Point2Point, fortran: true, args: &[val("sendbuf", Buffer), val("sendcount", Count), val("sendtype", Datatype), val("dest", Rank), val("sendtag", Tag), val("recvbuf", Buffer), val("recvcount", Count), val("recvtype", Datatype), val("source", Rank), val("recvtag", Tag), val("comm", Comm), ptr("status", Status, Out)] },
    Function { name: "MPI_Sendrecv_c", role: Role::Point2Point, fortran: false, args: &[val("sendbuf", Buffer), val("sendcount", LargeCount), val("sendtype", Datatype), val("dest", Rank), val("sendtag", Tag), val("recvbuf", Buffer), val("recvcount", LargeCount), val("recvtype", Datatype), val("source", Rank), val("recvtag", Tag), val("comm", Comm), ptr("status", Status, Out)] },
    Function { name: "MPI_Sendrecv_replace", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("sendtag", Tag), val("source", Rank), val("recvtag", Tag), val("comm", Comm), ptr("status", Status, Out)] },
    Function { name: "MPI_Sendrecv_replace_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("sendtag", Tag), val("source", Rank), val("recvtag", Tag), val("comm", Comm), ptr("status", Status, Out)] },
    Function { name: "MPI_Session_attach_buffer", role: Role::Function, fortran: true, args: &[val("session", Session), val("buffer", Buffer), val("size", Count)] },
    Function { name: "MPI_Session_attach_buffer_c", role: Role::Function, fortran: false, args: &[val("session", Session), val("buffer", Buffer), val("size", LargeCount)] },
    Function { name: "MPI_Session_call_errhandler", role: Role::Function, fortran: true, args: &[val("session", Session), val("errorcode", Int)] },
    Function { name: "MPI_Session_create_errhandler", role: Role::Function, fortran: true, args: &[val("session_errhandler_fn", Callback), ptr("errhandler", Errhandler, Out)] },
    Function { name: "MPI_Session_detach_buffer", role: Role::Function, fortran: true, args: &[val("session", Session), ptr("buffer_addr", Other, Out), ptr("size", Count, Out)] },
    Function { name: "MPI_Session_detach_buffer_c", role: Role::Function, fortran: false, args: &[val("session", Session), ptr("buffer_addr", Other, Out), ptr("size", LargeCount, Out)] },
    Function { name: "MPI_Session_finalize", role: Role::Function, fortran: true, args: &[ptr("session", Session, InOut)] },
    Function { name: "MPI_Session_flush_buffer", role: Role::Function, fortran: true, args: &[val("session", Session)] },
    Function { name: "MPI_Session_get_errhandler", role: Role::Function, fortran: true, args: &[val("session", Session), ptr("errhandler", Errhandler, Out)] },
    Function { name: "MPI_Session_get_info", role: Role::Function, fortran: true, args: &[val("session", Session), ptr("info_used", Info, Out)] },
    Function { name: "MPI_Session_get_nth_pset", role: Role::Function, fortran: true, args: &[val("session", Session), val("info", Info), val("n", Int), ptr("pset_len", Int, InOut), ptr("pset_name", String, Out)] },
    Function { name: "MPI_Session_get_num_psets", role: Role::Function, fortran: true, args: &[val("session", Session), val("info", Info), ptr("npset_names", Int, Out)] },
    Function { name: "MPI_Session_get_pset_info", role: Role::Function, fortran: true, args: &[val("session", Session), ptr("pset_name", String, In), ptr("info", Info, Out)] },
    Function { name: "MPI_Session_iflush_buffer", role: Role::Function, fortran: true, args: &[val("session", Session), ptr("request", Request, Out)] },
    Function { name: "MPI_Session_init", role: Role::Function, fortran: true, args: &[val("info", Info), val("errhandler", Errhandler), ptr("session", Session, Out)] },
    Function { name: "MPI_Session_set_errhandler", role: Role::Function, fortran: true, args: &[val("session", Session), val("errhandler", Errhandler)] },
    Function { name: "MPI_Ssend", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm)] },
    Function { name: "MPI_Ssend_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm)] },
    Function { name: "MPI_Ssend_init", role: Role::Point2Point, fortran: true, args: &[val("buf", Buffer), val("count", Count), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Ssend_init_c", role: Role::Point2Point, fortran: false, args: &[val("buf", Buffer), val("count", LargeCount), val("datatype", Datatype), val("dest", Rank), val("tag", Tag), val("comm", Comm), ptr("request", Request, Out)] },
    Function { name: "MPI_Start", role: Role::Point2Point, fortran: true, args: &[ptr("request", Request, InOut)] },
    Function { name: "MPI_Startall", role: Role::Point2Point, fortran: true, args: &[val("count", Int), arr("array_of_requests", Request, InOut)] },
    Function { name: "MPI_Status_get_error", role: Role::Function, fortran: true, args: &[ptr("status", Status, In), ptr("err", Int, Out)] },
    Function { name: "MPI_Status_get_source", role: Role::Function, fortran: true, args: &[ptr("status", Status, In), ptr("source", Rank, Out)] },
    Function { name: "MPI_Status_get_tag", role: Role::Function, fortran: true, args: &[ptr("status", Status, In), ptr("tag", Tag, Out)] },
    Function { name: "MPI_Status_set_cancelled", role: Role::Function, fortran: true, args: &[ptr("status", Status, InOut), val("flag", Flag)] },
    Function { name: "MPI_Status_set_elements", role: Role::Function, fortran: true, args: &[ptr("status", Status, InOut), val("datatype", Datatype), val("count", Count)] },
    Function { name: "MPI_Status_set_elements_c", role: Role::Function, fortran: false, args: &[ptr("status", Status, InOut), val("datatype", Datatype), val("count", LargeCount)] },
    Function { name: "MPI_Status_set_elements_x", role: Role::Function, fortran: true, args: &[ptr("status", Status, InOut), val("datatype", Datatype), val("count", LargeCount)] },
    Function { name: "MPI_Status_set_error", role: Role::Function, fortran: true, args: &[ptr("status", Status, InOut), val("err", Int)] },
    Function { name: "MPI_Status_set_source", role: Role::Function, fortran: true, args: &[ptr("status", Status, InOut), val("source", Rank)] },
    Function { name: "MPI_Status_set_tag", role: Role::Function, fortran: true, args: &[ptr("status", Status, InOut), val("tag", Tag)] },
    Function { name: "MPI_Test", role: Role::Point2Point, fortran: true, args: &[ptr("request", Request, InOut), ptr("flag", Flag, Out), ptr("status", Status, Out)] },
    Function { name: "MPI_Test_cancelled", role: Role::Function, fortran: true, args: &[ptr("status", Status, In), ptr("flag", Flag, Out)] },
    Function { name: "MPI_Testall", role: Role::Point2Point, fortran: true, args: &[val("count", Int), arr("array_of_requests", Request, InOut), ptr("flag", Flag, Out), arr("array_of_statuses", Status, Out)] },
    Function { name: "MPI_Testany", role: Role::Point2Point, fortran: true, args: &[val("count", Int), arr("array_of_requests", Request, InOut), ptr("index", Int, Out), ptr("flag", Flag, Out), ptr("status", Status, Out)] },
    Function { name: "MPI_Testsome", role: Role::Point2Point, fortran: true, args: &[val("incount", Int), arr("array_of_requests", Request, InOut), ptr("outcount", Int, Out), arr("array_of_indices", Int, Out), arr("array_of_statuses", Status, Out)] },
    Function { name: "MPI_Topo_test", role: Role::Function, fortran: true, args: &[val("comm", Comm), ptr("status", Int, Out)] },
    Function { name: "MPI_Type_commit", role: Role::Function, fortran: true, args: &[ptr("datatype", Datatype, InOut)] },
    Function { name: "MPI_Type_contiguous", role: Role::Function, fortran: true, args: &[val("count", Count), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_contiguous_c", role: Role::Function, fortran: false, args: &[val("count", LargeCount), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_darray", role: Role::Function, fortran: true, args: &[val("size", Int), val("rank", Rank), val("ndims", Int), arr("array_of_gsizes", Count, In), arr("array_of_distribs", Int, In), arr("array_of_dargs", Int, In), arr("array_of_psizes", Int, In), val("order", Int), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_darray_c", role: Role::Function, fortran: false, args: &[val("size", Int), val("rank", Rank), val("ndims", Int), arr("array_of_gsizes", LargeCount, In), arr("array_of_distribs", Int, In), arr("array_of_dargs", Int, In), arr("array_of_psizes", Int, In), val("order", Int), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_f90_complex", role: Role::Function, fortran: true, args: &[val("p", Int), val("r", Int), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_f90_integer", role: Role::Function, fortran: true, args: &[val("r", Int), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_f90_real", role: Role::Function, fortran: true, args: &[val("p", Int), val("r", Int), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_hindexed", role: Role::Function, fortran: true, args: &[val("count", Count), arr("array_of_blocklengths", Count, In), arr("array_of_displacements", Address, In), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_hindexed_block", role: Role::Function, fortran: true, args: &[val("count", Count), val("blocklength", Count), arr("array_of_displacements", Address, In), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_hindexed_block_c", role: Role::Function, fortran: false, args: &[val("count", LargeCount), val("blocklength", LargeCount), arr("array_of_displacements", LargeCount, In), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_hindexed_c", role: Role::Function, fortran: false, args: &[val("count", LargeCount), arr("array_of_blocklengths", LargeCount, In), arr("array_of_displacements", LargeCount, In), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_hvector", role: Role::Function, fortran: true, args: &[val("count", Count), val("blocklength", Count), val("stride", Address), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_hvector_c", role: Role::Function, fortran: false, args: &[val("count", LargeCount), val("blocklength", LargeCount), val("stride", LargeCount), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_indexed_block", role: Role::Function, fortran: true, args: &[val("count", Count), val("blocklength", Count), arr("array_of_displacements", Int, In), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_indexed_block_c", role: Role::Function, fortran: false, args: &[val("count", LargeCount), val("blocklength", LargeCount), arr("array_of_displacements", LargeCount, In), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_keyval", role: Role::Function, fortran: true, args: &[val("type_copy_attr_fn", Callback), val("type_delete_attr_fn", Callback), ptr("type_keyval", Keyval, Out), ptr("extra_state", Other, In)] },
    Function { name: "MPI_Type_create_resized", role: Role::Function, fortran: true, args: &[val("oldtype", Datatype), val("lb", Address), val("extent", Address), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_resized_c", role: Role::Function, fortran: false, args: &[val("oldtype", Datatype), val("lb", LargeCount), val("extent", LargeCount), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_struct", role: Role::Function, fortran: true, args: &[val("count", Count), arr("array_of_blocklengths", Count, In), arr("array_of_displacements", Address, In), arr("array_of_types", Datatype, In), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_struct_c", role: Role::Function, fortran: false, args: &[val("count", LargeCount), arr("array_of_blocklengths", LargeCount, In), arr("array_of_displacements", LargeCount, In), arr("array_of_types", Datatype, In), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_subarray", role: Role::Function, fortran: true, args: &[val("ndims", Int), arr("array_of_sizes", Count, In), arr("array_of_subsizes", Count, In), arr("array_of_starts", Count, In), val("order", Int), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_create_subarray_c", role: Role::Function, fortran: false, args: &[val("ndims", Int), arr("array_of_sizes", LargeCount, In), arr("array_of_subsizes", LargeCount, In), arr("array_of_starts", LargeCount, In), val("order", Int), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_delete_attr", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), val("type_keyval", Keyval)] },
    Function { name: "MPI_Type_dup", role: Role::Function, fortran: true, args: &[val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_extent", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), ptr("extent", Address, Out)] },
    Function { name: "MPI_Type_free", role: Role::Function, fortran: true, args: &[ptr("datatype", Datatype, InOut)] },
    Function { name: "MPI_Type_free_keyval", role: Role::Function, fortran: true, args: &[ptr("type_keyval", Keyval, InOut)] },
    Function { name: "MPI_Type_get_attr", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), val("type_keyval", Keyval), ptr("attribute_val", Other, Out), ptr("flag", Flag, Out)] },
    Function { name: "MPI_Type_get_contents", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), val("max_integers", Int), val("max_addresses", Int), val("max_datatypes", Int), arr("array_of_integers", Int, Out), arr("array_of_addresses", Address, Out), arr("array_of_datatypes", Datatype, Out)] },
    Function { name: "MPI_Type_get_contents_c", role: Role::Function, fortran: false, args: &[val("datatype", Datatype), val("max_integers", LargeCount), val("max_addresses", LargeCount), val("max_large_counts", LargeCount), val("max_datatypes", LargeCount), arr("array_of_integers", Int, Out), arr("array_of_addresses", Address, Out), arr("array_of_large_counts", LargeCount, Out), arr("array_of_datatypes", Datatype, Out)] },
    Function { name: "MPI_Type_get_envelope", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), ptr("num_integers", Int, Out), ptr("num_addresses", Int, Out), ptr("num_datatypes", Int, Out), ptr("combiner", Int, Out)] },
    Function { name: "MPI_Type_get_envelope_c", role: Role::Function, fortran: false, args: &[val("datatype", Datatype), ptr("num_integers", LargeCount, Out), ptr("num_addresses", LargeCount, Out), ptr("num_large_counts", LargeCount, Out), ptr("num_datatypes", LargeCount, Out), ptr("combiner", Int, Out)] },
    Function { name: "MPI_Type_get_extent", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), ptr("lb", Address, Out), ptr("extent", Address, Out)] },
    Function { name: "MPI_Type_get_extent_c", role: Role::Function, fortran: false, args: &[val("datatype", Datatype), ptr("lb", LargeCount, Out), ptr("extent", LargeCount, Out)] },
    Function { name: "MPI_Type_get_extent_x", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), ptr("lb", LargeCount, Out), ptr("extent", LargeCount, Out)] },
    Function { name: "MPI_Type_get_name", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), ptr("type_name", String, Out), ptr("resultlen", Int, Out)] },
    Function { name: "MPI_Type_get_true_extent", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), ptr("true_lb", Address, Out), ptr("true_extent", Address, Out)] },
    Function { name: "MPI_Type_get_true_extent_c", role: Role::Function, fortran: false, args: &[val("datatype", Datatype), ptr("true_lb", LargeCount, Out), ptr("true_extent", LargeCount, Out)] },
    Function { name: "MPI_Type_get_true_extent_x", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), ptr("true_lb", LargeCount, Out), ptr("true_extent", LargeCount, Out)] },
    Function { name: "MPI_Type_get_value_index", role: Role::Function, fortran: true, args: &[val("value_type", Datatype), val("index_type", Datatype), ptr("pair_type", Datatype, Out)] },
    Function { name: "MPI_Type_hindexed", role: Role::Function, fortran: true, args: &[val("count", Count), arr("array_of_blocklengths", Count, In), arr("array_of_displacements", Address, In), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_hvector", role: Role::Function, fortran: true, args: &[val("count", Count), val("blocklength", Count), val("stride", Address), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_indexed", role: Role::Function, fortran: true, args: &[val("count", Count), arr("array_of_blocklengths", Count, In), arr("array_of_displacements", Int, In), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_indexed_c", role: Role::Function, fortran: false, args: &[val("count", LargeCount), arr("array_of_blocklengths", LargeCount, In), arr("array_of_displacements", LargeCount, In), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_lb", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), ptr("displacement", Address, Out)] },
    Function { name: "MPI_Type_match_size", role: Role::Function, fortran: true, args: &[val("typeclass", Int), val("size", Int), ptr("datatype", Datatype, Out)] },
    Function { name: "MPI_Type_set_attr", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), val("type_keyval", Keyval), ptr("attribute_val", Other, In)] },
    Function { name: "MPI_Type_set_name", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), ptr("type_name", String, In)] },
    Function { name: "MPI_Type_size", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), ptr("size", Count, Out)] },
    Function { name: "MPI_Type_size_c", role: Role::Function, fortran: false, args: &[val("datatype", Datatype), ptr("size", LargeCount, Out)] },
    Function { name: "MPI_Type_size_x", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), ptr("size", LargeCount, Out)] },
    Function { name: "MPI_Type_struct", role: Role::Function, fortran: true, args: &[val("count", Count), arr("array_of_blocklengths", Count, In), arr("array_of_displacements", Address, In), arr("array_of_types", Datatype, In), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_ub", role: Role::Function, fortran: true, args: &[val("datatype", Datatype), ptr("displacement", Address, Out)] },
    Function { name: "MPI_Type_vector", role: Role::Function, fortran: true, args: &[val("count", Count), val("blocklength", Count), val("stride", Count), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Type_vector_c", role: Role::Function, fortran: false, args: &[val("count", LargeCount), val("blocklength", LargeCount), val("stride", LargeCount), val("oldtype", Datatype), ptr("newtype", Datatype, Out)] },
    Function { name: "MPI_Unpack", role: Role::Function, fortran: true, args: &[val("inbuf", Buffer), val("insize", Count), ptr("position", Int, InOut), val("outbuf", Buffer), val("outcount", Count), val("datatype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Unpack_c", role: Role::Function, fortran: false, args: &[val("inbuf", Buffer), val("insize", LargeCount), ptr("position", LargeCount, InOut), val("outbuf", Buffer), val("outcount", LargeCount), val("datatype", Datatype), val("comm", Comm)] },
    Function { name: "MPI_Unpack_external", role: Role::Function, fortran: true, args: &[ptr("datarep", String, In), val("inbuf", Buffer), val("insize", Address), ptr("position", Address, InOut), val("outbuf", Buffer), val("outcount", Count), val("datatype", Datatype)] },
    Function { name: "MPI_Unpack_external_c", role: Role::Function, fortran: false, args: &[ptr("datarep", String, In), val("inbuf", Buffer), val("insize", LargeCount), ptr("position", LargeCount, InOut), val("outbuf", Buffer), val("outcount", LargeCount), val("datatype", Datatype)] },
    Function { name: "MPI_Unpublish_name", role: Role::Function, fortran: true, args: &[ptr("service_name", String, In), val("info", Info), ptr("port_name", String, In)] },
    Function { name: "MPI_Wait", role: Role::Point2Point, fortran: true, args: &[ptr("request", Request, InOut), ptr("status", Status, Out)] },
    Function { name: "MPI_Waitall", role: Role::Point2Point, fortran: true, args: &[val("count", Int), arr("array_of_requests", Request, InOut), arr("array_of_statuses", Status, Out)] },
    Function { name: "MPI_Waitany", role: Role::Point2Point, fortran: true, args: &[val("count", Int), arr("array_of_requests", Request, InOut), ptr("index", Int, Out), ptr("status", Status, Out)] },
    Function { name: "MPI_Waitsome", role: Role::Point2Point, fortran: true, args: &[val("incount", Int), arr("array_of_requests", Request, InOut), ptr("outcount", Int, Out), arr("array_of_indices", Int, Out), arr("array_of_statuses", Status, Out)] },
    Function { name: "MPI_Win_allocate", role: Role::Rma, fortran: true, args: &[val("size", Address), val("disp_unit", Int), val("info", Info), val("comm", Comm), ptr("baseptr", Other, Out), ptr("win", Win, Out)] },
    Function { name: "MPI_Win_allocate_c", role: Role::Rma, fortran: false, args: &[val("size", Address), val("disp_unit", Address), val("info", Info), val("comm", Comm), ptr("baseptr", Other, Out), ptr("win", Win, Out)] },
    Function { name: "MPI_Win_allocate_shared", role: Role::Rma, fortran: true, args: &[val("size", Address), val("disp_unit", Int), val("info", Info), val("comm", Comm), ptr("baseptr", Other, Out), ptr("win", Win, Out)] },
    Function { name: "MPI_Win_allocate_shared_c", role: Role::Rma, fortran: false, args: &[val("size", Address), val("disp_unit", Address), val("info", Info), val("comm", Comm), ptr("baseptr", Other, Out), ptr("win", Win, Out)] },
    Function { name: "MPI_Win_attach", role: Role::Rma, fortran: true, args: &[val("win", Win), val("base", Buffer), val("size", Address)] },
    Function { name: "MPI_Win_call_errhandler", role: Role::Function, fortran: true, args: &[val("win", Win), val("errorcode", Int)] },
    Function { name: "MPI_Win_complete", role: Role::Rma, fortran: true, args: &[val("win", Win)] },
    Function { name: "MPI_Win_create", role: Role::Rma, fortran: true, args: &[val("base", Buffer), val("size", Address), val("disp_unit", Int), val("info", Info), val("comm", Comm), ptr("win", Win, Out)] },
    Function { name: "MPI_Win_create_c", role: Role::Rma, fortran: false, args: &[val("base", Buffer), val("size", Address), val("disp_unit", Address), val("info", Info), val("comm", Comm), ptr("win", Win, Out)] },
    Function { name: "MPI_Win_create_dynamic", role: Role::Rma, fortran: true, args: &[val("info", Info), val("comm", Comm), ptr("win", Win, Out)] },
    Function { name: "MPI_Win_create_errhandler", role: Role::Function, fortran: true, args: &[val("win_errhandler_fn", Callback), ptr("errhandler", Errhandler, Out)] },
    Function { name: "MPI_Win_create_keyval", role: Role::Function, fortran: true, args: &[val("win_copy_attr_fn", Callback), val("win_delete_attr_fn", Callback), ptr("win_keyval", Keyval, Out), ptr("extra_state", Other, In)] },
    Function { name: "MPI_Win_delete_attr", role: Role::Function, fortran: true, args: &[val("win", Win), val("win_keyval", Keyval)] },
    Function { name: "MPI_Win_detach", role: Role::Rma, fortran: true, args: &[val("win", Win), val("base", Buffer)] },
    Function { name: "MPI_Win_fence", role: Role::Rma, fortran: true, args: &[val("assert", Int), val("win", Win)] },
    Function { name: "MPI_Win_flush", role: Role::Rma, fortran: true, args: &[val("rank", Rank), val("win", Win)] },
    Function { name: "MPI_Win_flush_all", role: Role::Rma, fortran: true, args: &[val("win", Win)] },
    Function { name: "MPI_Win_flush_local", role: Role::Rma, fortran: true, args: &[val("rank", Rank), val("win", Win)] },
    Function { name: "MPI_Win_flush_local_all", role: Role::Rma, fortran: true, args: &[val("win", Win)] },
    Function { name: "MPI_Win_free", role: Role::Rma, fortran: true, args: &[ptr("win", Win, InOut)] },
    Function { name: "MPI_Win_free_keyval", role: Role::Function, fortran: true, args: &[ptr("win_keyval", Keyval, InOut)] },
    Function { name: "MPI_Win_get_attr", role: Role::Function, fortran: true, args: &[val("win", Win), val("win_keyval", Keyval), ptr("attribute_val", Other, Out), ptr("flag", Flag, Out)] },
    Function { name: "MPI_Win_get_errhandler", role: Role::Function, fortran: true, args: &[val("win", Win), ptr("errhandler", Errhandler, Out)] },
    Function { name: "MPI_Win_get_group", role: Role::Rma, fortran: true, args: &[val("win", Win), ptr("group", Group, Out)] },
    Function { name: "MPI_Win_get_info", role: Role::Rma, fortran: true, args: &[val("win", Win), ptr("info_used", Info, Out)] },
    Function { name: "MPI_Win_get_name", role: Role::Function, fortran: true, args: &[val("win", Win), ptr("win_name", String, Out), ptr("resultlen", Int, Out)] },
    Function { name: "MPI_Win_lock", role: Role::Rma, fortran: true, args: &[val("lock_type", Int), val("rank", Rank), val("assert", Int), val("win", Win)] },
    Function { name: "MPI_Win_lock_all", role: Role::Rma, fortran: true, args: &[val("assert", Int), val("win", Win)] },
    Function { name: "MPI_Win_post", role: Role::Rma, fortran: true, args: &[val("group", Group), val("assert", Int), val("win", Win)] },
    Function { name: "MPI_Win_set_attr", role: Role::Function, fortran: true, args: &[val("win", Win), val("win_keyval", Keyval), ptr("attribute_val", Other, In)] },
    Function { name: "MPI_Win_set_errhandler", role: Role::Function, fortran: true, args: &[val("win", Win), val("errhandler", Errhandler)] },
    Function { name: "MPI_Win_set_info", role: Role::Rma, fortran: true, args: &[val("win", Win), val("info", Info)] },
    Function { name: "MPI_Win_set_name", role: Role::Function, fortran: true, args: &[val("win", Win), ptr("win_name", String, In)] },
    Function { name: "MPI_Win_shared_query", role: Role::Rma, fortran: true, args: &[val("win", Win), val("rank", Rank), ptr("size", Address, Out), ptr("disp_unit", Int, Out), ptr("baseptr", Other, Out)] },
    Function { name: "MPI_Win_shared_query_c", role: Role::Rma, fortran: false, args: &[val("win", Win), val("rank", Rank), ptr("size", Address, Out), ptr("disp_unit", Address, Out), ptr("baseptr", Other, Out)] },
    Function { name: "MPI_Win_start", role: Role::Rma, fortran: true, args: &[val("group", Group), val("assert", Int), val("win", Win)] },
    Function { name: "MPI_Win_sync", role: Role::Rma, fortran: true, args: &[val("win", Win)] },
    Function { name: "MPI_Win_test", role: Role::Rma, fortran: true, args: &[val("win", Win), ptr("flag", Flag, Out)] },
    Function { name: "MPI_Win_unlock", role: Role::Rma, fortran: true, args: &[val("rank", Rank), val("win", Win)] },
    Function { name: "MPI_Win_unlock_all", role: Role::Rma, fortran: true, args: &[val("win", Win)] },
    Function { name: "MPI_Win_wait", role: Role::Rma, fortran: true, args: &[val("win", Win)] },
];

/// A constant for every function: `id::MPI_SEND` is that of `MPI_Send`.
#[allow(missing_docs, reason = "one constant per function, named as it")]
pub mod id {
    use crate::FunctionId;

    pub const MPI_ABORT: FunctionId = FunctionId(0);
    pub const MPI_ACCUMULATE: FunctionId = FunctionId(1);
    pub const MPI_ACCUMULATE_C: FunctionId = FunctionId(2);
    pub const MPI_ADD_ERROR_CLASS: FunctionId = FunctionId(3);
    pub const MPI_ADD_ERROR_CODE: FunctionId = FunctionId(4);
    pub const MPI_ADD_ERROR_STRING: FunctionId = FunctionId(5);
    pub const MPI_ADDRESS: FunctionId = FunctionId(6);
    pub const MPI_ALLGATHER: FunctionId = FunctionId(7);
    pub const MPI_ALLGATHER_C: FunctionId = FunctionId(8);
    pub const MPI_ALLGATHER_INIT: FunctionId = FunctionId(9);
    pub const MPI_ALLGATHER_INIT_C: FunctionId = FunctionId(10);
    pub const MPI_ALLGATHERV: FunctionId = FunctionId(11);
    pub const MPI_ALLGATHERV_C: FunctionId = FunctionId(12);
    pub const MPI_ALLGATHERV_INIT: FunctionId = FunctionId(13);
    pub const MPI_ALLGATHERV_INIT_C: FunctionId = FunctionId(14);
    pub const MPI_ALLOC_MEM: FunctionId = FunctionId(15);
    pub const MPI_ALLREDUCE: FunctionId = FunctionId(16);
    pub const MPI_ALLREDUCE_C: FunctionId = FunctionId(17);
    pub const MPI_ALLREDUCE_INIT: FunctionId = FunctionId(18);
    pub const MPI_ALLREDUCE_INIT_C: FunctionId = FunctionId(19);
    pub const MPI_ALLTOALL: FunctionId = FunctionId(20);
    pub const MPI_ALLTOALL_C: FunctionId = FunctionId(21);
    pub const MPI_ALLTOALL_INIT: FunctionId = FunctionId(22);
    pub const MPI_ALLTOALL_INIT_C: FunctionId = FunctionId(23);
    pub const MPI_ALLTOALLV: FunctionId = FunctionId(24);
    pub const MPI_ALLTOALLV_C: FunctionId = FunctionId(25);
    pub const MPI_ALLTOALLV_INIT: FunctionId = FunctionId(26);
    pub const MPI_ALLTOALLV_INIT_C: FunctionId = FunctionId(27);
    pub const MPI_ALLTOALLW: FunctionId = FunctionId(28);
    pub const MPI_ALLTOALLW_C: FunctionId = FunctionId(29);
    pub const MPI_ALLTOALLW_INIT: FunctionId = FunctionId(30);
    pub const MPI_ALLTOALLW_INIT_C: FunctionId = FunctionId(31);
    pub const MPI_ATTR_DELETE: FunctionId = FunctionId(32);
    pub const MPI_ATTR_GET: FunctionId = FunctionId(33);
    pub const MPI_ATTR_PUT: FunctionId = FunctionId(34);
    pub const MPI_BARRIER: FunctionId = FunctionId(35);
    pub const MPI_BARRIER_INIT: FunctionId = FunctionId(36);
    pub const MPI_BCAST: FunctionId = FunctionId(37);
    pub const MPI_BCAST_C: FunctionId = FunctionId(38);
    pub const MPI_BCAST_INIT: FunctionId = FunctionId(39);
    pub const MPI_BCAST_INIT_C: FunctionId = FunctionId(40);
    pub const MPI_BSEND: FunctionId = FunctionId(41);
    pub const MPI_BSEND_C: FunctionId = FunctionId(42);
    pub const MPI_BSEND_INIT: FunctionId = FunctionId(43);
    pub const MPI_BSEND_INIT_C: FunctionId = FunctionId(44);
    pub const MPI_BUFFER_ATTACH: FunctionId = FunctionId(45);
    pub const MPI_BUFFER_ATTACH_C: FunctionId = FunctionId(46);
    pub const MPI_BUFFER_DETACH: FunctionId = FunctionId(47);
    pub const MPI_BUFFER_DETACH_C: FunctionId = FunctionId(48);
    pub const MPI_BUFFER_FLUSH: FunctionId = FunctionId(49);
    pub const MPI_BUFFER_IFLUSH: FunctionId = FunctionId(50);
    pub const MPI_CANCEL: FunctionId = FunctionId(51);
    pub const MPI_CART_COORDS: FunctionId = FunctionId(52);
    pub const MPI_CART_CREATE: FunctionId = FunctionId(53);
    pub const MPI_CART_GET: FunctionId = FunctionId(54);
    pub const MPI_CART_MAP: FunctionId = FunctionId(55);
    pub const MPI_CART_RANK: FunctionId = FunctionId(56);
    pub const MPI_CART_SHIFT: FunctionId = FunctionId(57);
    pub const MPI_CART_SUB: FunctionId = FunctionId(58);
    pub const MPI_CARTDIM_GET: FunctionId = FunctionId(59);
    pub const MPI_CLOSE_PORT: FunctionId = FunctionId(60);
    pub const MPI_COMM_ACCEPT: FunctionId = FunctionId(61);
    pub const MPI_COMM_ATTACH_BUFFER: FunctionId = FunctionId(62);
    pub const MPI_COMM_ATTACH_BUFFER_C: FunctionId = FunctionId(63);
    pub const MPI_COMM_CALL_ERRHANDLER: FunctionId = FunctionId(64);
    pub const MPI_COMM_COMPARE: FunctionId = FunctionId(65);
    pub const MPI_COMM_CONNECT: FunctionId = FunctionId(66);
    pub const MPI_COMM_CREATE: FunctionId = FunctionId(67);
    pub const MPI_COMM_CREATE_ERRHANDLER: FunctionId = FunctionId(68);
    pub const MPI_COMM_CREATE_FROM_GROUP: FunctionId = FunctionId(69);
    pub const MPI_COMM_CREATE_GROUP: FunctionId = FunctionId(70);
    pub const MPI_COMM_CREATE_KEYVAL: FunctionId = FunctionId(71);
    pub const MPI_COMM_DELETE_ATTR: FunctionId = FunctionId(72);
    pub const MPI_COMM_DETACH_BUFFER: FunctionId = FunctionId(73);
    pub const MPI_COMM_DETACH_BUFFER_C: FunctionId = FunctionId(74);
    pub const MPI_COMM_DISCONNECT: FunctionId = FunctionId(75);
    pub const MPI_COMM_DUP: FunctionId = FunctionId(76);
    pub const MPI_COMM_DUP_WITH_INFO: FunctionId = FunctionId(77);
    pub const MPI_COMM_FLUSH_BUFFER: FunctionId = FunctionId(78);
    pub const MPI_COMM_FREE: FunctionId = FunctionId(79);
    pub const MPI_COMM_FREE_KEYVAL: FunctionId = FunctionId(80);
    pub const MPI_COMM_GET_ATTR: FunctionId = FunctionId(81);
    pub const MPI_COMM_GET_ERRHANDLER: FunctionId = FunctionId(82);
    pub const MPI_COMM_GET_INFO: FunctionId = FunctionId(83);
    pub const MPI_COMM_GET_NAME: FunctionId = FunctionId(84);
    pub const MPI_COMM_GET_PARENT: FunctionId = FunctionId(85);
    pub const MPI_COMM_GROUP: FunctionId = FunctionId(86);
    pub const MPI_COMM_IDUP: FunctionId = FunctionId(87);
    pub const MPI_COMM_IDUP_WITH_INFO: FunctionId = FunctionId(88);
    pub const MPI_COMM_IFLUSH_BUFFER: FunctionId = FunctionId(89);
    pub const MPI_COMM_JOIN: FunctionId = FunctionId(90);
    pub const MPI_COMM_RANK: FunctionId = FunctionId(91);
    pub const MPI_COMM_REMOTE_GROUP: FunctionId = FunctionId(92);
    pub const MPI_COMM_REMOTE_SIZE: FunctionId = FunctionId(93);
    pub const MPI_COMM_SET_ATTR: FunctionId = FunctionId(94);
    pub const MPI_COMM_SET_ERRHANDLER: FunctionId = FunctionId(95);
    pub const MPI_COMM_SET_INFO: FunctionId = FunctionId(96);
    pub const MPI_COMM_SET_NAME: FunctionId = FunctionId(97);
    pub const MPI_COMM_SIZE: FunctionId = FunctionId(98);
    pub const MPI_COMM_SPAWN: FunctionId = FunctionId(99);
    pub const MPI_COMM_SPAWN_MULTIPLE: FunctionId = FunctionId(100);
    pub const MPI_COMM_SPLIT: FunctionId = FunctionId(101);
    pub const MPI_COMM_SPLIT_TYPE: FunctionId = FunctionId(102);
    pub const MPI_COMM_TEST_INTER: FunctionId = FunctionId(103);
    pub const MPI_COMPARE_AND_SWAP: FunctionId = FunctionId(104);
    pub const MPI_DIMS_CREATE: FunctionId = FunctionId(105);
    pub const MPI_DIST_GRAPH_CREATE: FunctionId = FunctionId(106);
    pub const MPI_DIST_GRAPH_CREATE_ADJACENT: FunctionId = FunctionId(107);
    pub const MPI_DIST_GRAPH_NEIGHBORS: FunctionId = FunctionId(108);
    pub const MPI_DIST_GRAPH_NEIGHBORS_COUNT: FunctionId = FunctionId(109);
    pub const MPI_ERRHANDLER_CREATE: FunctionId = FunctionId(110);
    pub const MPI_ERRHANDLER_FREE: FunctionId = FunctionId(111);
    pub const MPI_ERRHANDLER_GET: FunctionId = FunctionId(112);
    pub const MPI_ERRHANDLER_SET: FunctionId = FunctionId(113);
    pub const MPI_ERROR_CLASS: FunctionId = FunctionId(114);
    pub const MPI_ERROR_STRING: FunctionId = FunctionId(115);
    pub const MPI_EXSCAN: FunctionId = FunctionId(116);
    pub const MPI_EXSCAN_C: FunctionId = FunctionId(117);
    pub const MPI_EXSCAN_INIT: FunctionId = FunctionId(118);
    pub const MPI_EXSCAN_INIT_C: FunctionId = FunctionId(119);
    pub const MPI_FETCH_AND_OP: FunctionId = FunctionId(120);
    pub const MPI_FILE_CALL_ERRHANDLER: FunctionId = FunctionId(121);
    pub const MPI_FILE_CLOSE: FunctionId = FunctionId(122);
    pub const MPI_FILE_CREATE_ERRHANDLER: FunctionId = FunctionId(123);
    pub const MPI_FILE_DELETE: FunctionId = FunctionId(124);
    pub const MPI_FILE_GET_AMODE: FunctionId = FunctionId(125);
    pub const MPI_FILE_GET_ATOMICITY: FunctionId = FunctionId(126);
    pub const MPI_FILE_GET_BYTE_OFFSET: FunctionId = FunctionId(127);
    pub const MPI_FILE_GET_ERRHANDLER: FunctionId = FunctionId(128);
    pub const MPI_FILE_GET_GROUP: FunctionId = FunctionId(129);
    pub const MPI_FILE_GET_INFO: FunctionId = FunctionId(130);
    pub const MPI_FILE_GET_POSITION: FunctionId = FunctionId(131);
    pub const MPI_FILE_GET_POSITION_SHARED: FunctionId = FunctionId(132);
    pub const MPI_FILE_GET_SIZE: FunctionId = FunctionId(133);
    pub const MPI_FILE_GET_TYPE_EXTENT: FunctionId = FunctionId(134);
    pub const MPI_FILE_GET_TYPE_EXTENT_C: FunctionId = FunctionId(135);
    pub const MPI_FILE_GET_VIEW: FunctionId = FunctionId(136);
    pub const MPI_FILE_IREAD: FunctionId = FunctionId(137);
    pub const MPI_FILE_IREAD_ALL: FunctionId = FunctionId(138);
    pub const MPI_FILE_IREAD_ALL_C: FunctionId = FunctionId(139);
    pub const MPI_FILE_IREAD_AT: FunctionId = FunctionId(140);
    pub const MPI_FILE_IREAD_AT_ALL: FunctionId = FunctionId(141);
    pub const MPI_FILE_IREAD_AT_ALL_C: FunctionId = FunctionId(142);
    pub const MPI_FILE_IREAD_AT_C: FunctionId = FunctionId(143);
    pub const MPI_FILE_IREAD_C: FunctionId = FunctionId(144);
    pub const MPI_FILE_IREAD_SHARED: FunctionId = FunctionId(145);
    pub const MPI_FILE_IREAD_SHARED_C: FunctionId = FunctionId(146);
    pub const MPI_FILE_IWRITE: FunctionId = FunctionId(147);
    pub const MPI_FILE_IWRITE_ALL: FunctionId = FunctionId(148);
    pub const MPI_FILE_IWRITE_ALL_C: FunctionId = FunctionId(149);
    pub const MPI_FILE_IWRITE_AT: FunctionId = FunctionId(150);
    pub const MPI_FILE_IWRITE_AT_ALL: FunctionId = FunctionId(151);
    pub const MPI_FILE_IWRITE_AT_ALL_C: FunctionId = FunctionId(152);
    pub const MPI_FILE_IWRITE_AT_C: FunctionId = FunctionId(153);
    pub const MPI_FILE_IWRITE_C: FunctionId = FunctionId(154);
    pub const MPI_FILE_IWRITE_SHARED: FunctionId = FunctionId(155);
    pub const MPI_FILE_IWRITE_SHARED_C: FunctionId = FunctionId(156);
    pub const MPI_FILE_OPEN: FunctionId = FunctionId(157);
    pub const MPI_FILE_PREALLOCATE: FunctionId = FunctionId(158);
    pub const MPI_FILE_READ: FunctionId = FunctionId(159);
    pub const MPI_FILE_READ_ALL: FunctionId = FunctionId(160);
    pub const MPI_FILE_READ_ALL_BEGIN: FunctionId = FunctionId(161);
    pub const MPI_FILE_READ_ALL_BEGIN_C: FunctionId = FunctionId(162);
    pub const MPI_FILE_READ_ALL_C: FunctionId = FunctionId(163);
    pub const MPI_FILE_READ_ALL_END: FunctionId = FunctionId(164);
    pub const MPI_FILE_READ_AT: FunctionId = FunctionId(165);
    pub const MPI_FILE_READ_AT_ALL: FunctionId = FunctionId(166);
    pub const MPI_FILE_READ_AT_ALL_BEGIN: FunctionId = FunctionId(167);
    pub const MPI_FILE_READ_AT_ALL_BEGIN_C: FunctionId = FunctionId(168);
    pub const MPI_FILE_READ_AT_ALL_C: FunctionId = FunctionId(169);
    pub const MPI_FILE_READ_AT_ALL_END: FunctionId = FunctionId(170);
    pub const MPI_FILE_READ_AT_C: FunctionId = FunctionId(171);
    pub const MPI_FILE_READ_C: FunctionId = FunctionId(172);
    pub const MPI_FILE_READ_ORDERED: FunctionId = FunctionId(173);
    pub const MPI_FILE_READ_ORDERED_BEGIN: FunctionId = FunctionId(174);
    pub const MPI_FILE_READ_ORDERED_BEGIN_C: FunctionId = FunctionId(175);
    pub const MPI_FILE_READ_ORDERED_C: FunctionId = FunctionId(176);
    pub const MPI_FILE_READ_ORDERED_END: FunctionId = FunctionId(177);
    pub const MPI_FILE_READ_SHARED: FunctionId = FunctionId(178);
    pub const MPI_FILE_READ_SHARED_C: FunctionId = FunctionId(179);
    pub const MPI_FILE_SEEK: FunctionId = FunctionId(180);
    pub const MPI_FILE_SEEK_SHARED: FunctionId = FunctionId(181);
    pub const MPI_FILE_SET_ATOMICITY: FunctionId = FunctionId(182);
    pub const MPI_FILE_SET_ERRHANDLER: FunctionId = FunctionId(183);
    pub const MPI_FILE_SET_INFO: FunctionId = FunctionId(184);
    pub const MPI_FILE_SET_SIZE: FunctionId = FunctionId(185);
    pub const MPI_FILE_SET_VIEW: FunctionId = FunctionId(186);
    pub const MPI_FILE_SYNC: FunctionId = FunctionId(187);
    pub const MPI_FILE_WRITE: FunctionId = FunctionId(188);
    pub const MPI_FILE_WRITE_ALL: FunctionId = FunctionId(189);
    pub const MPI_FILE_WRITE_ALL_BEGIN: FunctionId = FunctionId(190);
    pub const MPI_FILE_WRITE_ALL_BEGIN_C: FunctionId = FunctionId(191);
    pub const MPI_FILE_WRITE_ALL_C: FunctionId = FunctionId(192);
    pub const MPI_FILE_WRITE_ALL_END: FunctionId = FunctionId(193);
    pub const MPI_FILE_WRITE_AT: FunctionId = FunctionId(194);
    pub const MPI_FILE_WRITE_AT_ALL: FunctionId = FunctionId(195);
    pub const MPI_FILE_WRITE_AT_ALL_BEGIN: FunctionId = FunctionId(196);
    pub const MPI_FILE_WRITE_AT_ALL_BEGIN_C: FunctionId = FunctionId(197);
    pub const MPI_FILE_WRITE_AT_ALL_C: FunctionId = FunctionId(198);
    pub const MPI_FILE_WRITE_AT_ALL_END: FunctionId = FunctionId(199);
    pub const MPI_FILE_WRITE_AT_C: FunctionId = FunctionId(200);
    pub const MPI_FILE_WRITE_C: FunctionId = FunctionId(201);
    pub const MPI_FILE_WRITE_ORDERED: FunctionId = FunctionId(202);
    pub const MPI_FILE_WRITE_ORDERED_BEGIN: FunctionId = FunctionId(203);
    pub const MPI_FILE_WRITE_ORDERED_BEGIN_C: FunctionId = FunctionId(204);
    pub const MPI_FILE_WRITE_ORDERED_C: FunctionId = FunctionId(205);
    pub const MPI_FILE_WRITE_ORDERED_END: FunctionId = FunctionId(206);
    pub const MPI_FILE_WRITE_SHARED: FunctionId = FunctionId(207);
    pub const MPI_FILE_WRITE_SHARED_C: FunctionId = FunctionId(208);
    pub const MPI_FINALIZE: FunctionId = FunctionId(209);
    pub const MPI_FINALIZED: FunctionId = FunctionId(210);
    pub const MPI_FREE_MEM: FunctionId = FunctionId(211);
    pub const MPI_GATHER: FunctionId = FunctionId(212);
    pub const MPI_GATHER_C: FunctionId = FunctionId(213);
    pub const MPI_GATHER_INIT: FunctionId = FunctionId(214);
    pub const MPI_GATHER_INIT_C: FunctionId = FunctionId(215);
    pub const MPI_GATHERV: FunctionId = FunctionId(216);
    pub const MPI_GATHERV_C: FunctionId = FunctionId(217);
    pub const MPI_GATHERV_INIT: FunctionId = FunctionId(218);
    pub const MPI_GATHERV_INIT_C: FunctionId = FunctionId(219);
    pub const MPI_GET: FunctionId = FunctionId(220);
    pub const MPI_GET_ACCUMULATE: FunctionId = FunctionId(221);
    pub const MPI_GET_ACCUMULATE_C: FunctionId = FunctionId(222);
    pub const MPI_GET_ADDRESS: FunctionId = FunctionId(223);
    pub const MPI_GET_C: FunctionId = FunctionId(224);
    pub const MPI_GET_COUNT: FunctionId = FunctionId(225);
    pub const MPI_GET_COUNT_C: FunctionId = FunctionId(226);
    pub const MPI_GET_ELEMENTS: FunctionId = FunctionId(227);
    pub const MPI_GET_ELEMENTS_C: FunctionId = FunctionId(228);
    pub const MPI_GET_ELEMENTS_X: FunctionId = FunctionId(229);
    pub const MPI_GET_HW_RESOURCE_INFO: FunctionId = FunctionId(230);
    pub const MPI_GET_PROCESSOR_NAME: FunctionId = FunctionId(231);
    pub const MPI_GRAPH_CREATE: FunctionId = FunctionId(232);
    pub const MPI_GRAPH_GET: FunctionId = FunctionId(233);
    pub const MPI_GRAPH_MAP: FunctionId = FunctionId(234);
    pub const MPI_GRAPH_NEIGHBORS: FunctionId = FunctionId(235);
    pub const MPI_GRAPH_NEIGHBORS_COUNT: FunctionId = FunctionId(236);
    pub const MPI_GRAPHDIMS_GET: FunctionId = FunctionId(237);
    pub const MPI_GREQUEST_COMPLETE: FunctionId = FunctionId(238);
    pub const MPI_GREQUEST_START: FunctionId = FunctionId(239);
    pub const MPI_GROUP_COMPARE: FunctionId = FunctionId(240);
    pub const MPI_GROUP_DIFFERENCE: FunctionId = FunctionId(241);
    pub const MPI_GROUP_EXCL: FunctionId = FunctionId(242);
    pub const MPI_GROUP_FREE: FunctionId = FunctionId(243);
    pub const MPI_GROUP_FROM_SESSION_PSET: FunctionId = FunctionId(244);
    pub const MPI_GROUP_INCL: FunctionId = FunctionId(245);
    pub const MPI_GROUP_INTERSECTION: FunctionId = FunctionId(246);
    pub const MPI_GROUP_RANGE_EXCL: FunctionId = FunctionId(247);
    pub const MPI_GROUP_RANGE_INCL: FunctionId = FunctionId(248);
    pub const MPI_GROUP_RANK: FunctionId = FunctionId(249);
    pub const MPI_GROUP_SIZE: FunctionId = FunctionId(250);
    pub const MPI_GROUP_TRANSLATE_RANKS: FunctionId = FunctionId(251);
    pub const MPI_GROUP_UNION: FunctionId = FunctionId(252);
    pub const MPI_IALLGATHER: FunctionId = FunctionId(253);
    pub const MPI_IALLGATHER_C: FunctionId = FunctionId(254);
    pub const MPI_IALLGATHERV: FunctionId = FunctionId(255);
    pub const MPI_IALLGATHERV_C: FunctionId = FunctionId(256);
    pub const MPI_IALLREDUCE: FunctionId = FunctionId(257);
    pub const MPI_IALLREDUCE_C: FunctionId = FunctionId(258);
    pub const MPI_IALLTOALL: FunctionId = FunctionId(259);
    pub const MPI_IALLTOALL_C: FunctionId = FunctionId(260);
    pub const MPI_IALLTOALLV: FunctionId = FunctionId(261);
    pub const MPI_IALLTOALLV_C: FunctionId = FunctionId(262);
    pub const MPI_IALLTOALLW: FunctionId = FunctionId(263);
    pub const MPI_IALLTOALLW_C: FunctionId = FunctionId(264);
    pub const MPI_IBARRIER: FunctionId = FunctionId(265);
    pub const MPI_IBCAST: FunctionId = FunctionId(266);
    pub const MPI_IBCAST_C: FunctionId = FunctionId(267);
    pub const MPI_IBSEND: FunctionId = FunctionId(268);
    pub const MPI_IBSEND_C: FunctionId = FunctionId(269);
    pub const MPI_IEXSCAN: FunctionId = FunctionId(270);
    pub const MPI_IEXSCAN_C: FunctionId = FunctionId(271);
    pub const MPI_IGATHER: FunctionId = FunctionId(272);
    pub const MPI_IGATHER_C: FunctionId = FunctionId(273);
    pub const MPI_IGATHERV: FunctionId = FunctionId(274);
    pub const MPI_IGATHERV_C: FunctionId = FunctionId(275);
    pub const MPI_IMPROBE: FunctionId = FunctionId(276);
    pub const MPI_IMRECV: FunctionId = FunctionId(277);
    pub const MPI_IMRECV_C: FunctionId = FunctionId(278);
    pub const MPI_INEIGHBOR_ALLGATHER: FunctionId = FunctionId(279);
    pub const MPI_INEIGHBOR_ALLGATHER_C: FunctionId = FunctionId(280);
    pub const MPI_INEIGHBOR_ALLGATHERV: FunctionId = FunctionId(281);
    pub const MPI_INEIGHBOR_ALLGATHERV_C: FunctionId = FunctionId(282);
    pub const MPI_INEIGHBOR_ALLTOALL: FunctionId = FunctionId(283);
    pub const MPI_INEIGHBOR_ALLTOALL_C: FunctionId = FunctionId(284);
    pub const MPI_INEIGHBOR_ALLTOALLV: FunctionId = FunctionId(285);
    pub const MPI_INEIGHBOR_ALLTOALLV_C: FunctionId = FunctionId(286);
    pub const MPI_INEIGHBOR_ALLTOALLW: FunctionId = FunctionId(287);
    pub const MPI_INEIGHBOR_ALLTOALLW_C: FunctionId = FunctionId(288);
    pub const MPI_INFO_CREATE: FunctionId = FunctionId(289);
    pub const MPI_INFO_CREATE_ENV: FunctionId = FunctionId(290);
    pub const MPI_INFO_DELETE: FunctionId = FunctionId(291);
    pub const MPI_INFO_DUP: FunctionId = FunctionId(292);
    pub const MPI_INFO_FREE: FunctionId = FunctionId(293);
    pub const MPI_INFO_GET: FunctionId = FunctionId(294);
    pub const MPI_INFO_GET_NKEYS: FunctionId = FunctionId(295);
    pub const MPI_INFO_GET_NTHKEY: FunctionId = FunctionId(296);
    pub const MPI_INFO_GET_STRING: FunctionId = FunctionId(297);
    pub const MPI_INFO_GET_VALUELEN: FunctionId = FunctionId(298);
    pub const MPI_INFO_SET: FunctionId = FunctionId(299);
    pub const MPI_INIT: FunctionId = FunctionId(300);
    pub const MPI_INIT_THREAD: FunctionId = FunctionId(301);
    pub const MPI_INITIALIZED: FunctionId = FunctionId(302);
    pub const MPI_INTERCOMM_CREATE: FunctionId = FunctionId(303);
    pub const MPI_INTERCOMM_CREATE_FROM_GROUPS: FunctionId = FunctionId(304);
    pub const MPI_INTERCOMM_MERGE: FunctionId = FunctionId(305);
    pub const MPI_IPROBE: FunctionId = FunctionId(306);
    pub const MPI_IRECV: FunctionId = FunctionId(307);
    pub const MPI_IRECV_C: FunctionId = FunctionId(308);
    pub const MPI_IREDUCE: FunctionId = FunctionId(309);
    pub const MPI_IREDUCE_C: FunctionId = FunctionId(310);
    pub const MPI_IREDUCE_SCATTER: FunctionId = FunctionId(311);
    pub const MPI_IREDUCE_SCATTER_BLOCK: FunctionId = FunctionId(312);
    pub const MPI_IREDUCE_SCATTER_BLOCK_C: FunctionId = FunctionId(313);
    pub const MPI_IREDUCE_SCATTER_C: FunctionId = FunctionId(314);
    pub const MPI_IRSEND: FunctionId = FunctionId(315);
    pub const MPI_IRSEND_C: FunctionId = FunctionId(316);
    pub const MPI_IS_THREAD_MAIN: FunctionId = FunctionId(317);
    pub const MPI_ISCAN: FunctionId = FunctionId(318);
    pub const MPI_ISCAN_C: FunctionId = FunctionId(319);
    pub const MPI_ISCATTER: FunctionId = FunctionId(320);
    pub const MPI_ISCATTER_C: FunctionId = FunctionId(321);
    pub const MPI_ISCATTERV: FunctionId = FunctionId(322);
    pub const MPI_ISCATTERV_C: FunctionId = FunctionId(323);
    pub const MPI_ISEND: FunctionId = FunctionId(324);
    pub const MPI_ISEND_C: FunctionId = FunctionId(325);
    pub const MPI_ISENDRECV: FunctionId = FunctionId(326);
    pub const MPI_ISENDRECV_C: FunctionId = FunctionId(327);
    pub const MPI_ISENDRECV_REPLACE: FunctionId = FunctionId(328);
    pub const MPI_ISENDRECV_REPLACE_C: FunctionId = FunctionId(329);
    pub const MPI_ISSEND: FunctionId = FunctionId(330);
    pub const MPI_ISSEND_C: FunctionId = FunctionId(331);
    pub const MPI_KEYVAL_CREATE: FunctionId = FunctionId(332);
    pub const MPI_KEYVAL_FREE: FunctionId = FunctionId(333);
    pub const MPI_LOOKUP_NAME: FunctionId = FunctionId(334);
    pub const MPI_MPROBE: FunctionId = FunctionId(335);
    pub const MPI_MRECV: FunctionId = FunctionId(336);
    pub const MPI_MRECV_C: FunctionId = FunctionId(337);
    pub const MPI_NEIGHBOR_ALLGATHER: FunctionId = FunctionId(338);
    pub const MPI_NEIGHBOR_ALLGATHER_C: FunctionId = FunctionId(339);
    pub const MPI_NEIGHBOR_ALLGATHER_INIT: FunctionId = FunctionId(340);
    pub const MPI_NEIGHBOR_ALLGATHER_INIT_C: FunctionId = FunctionId(341);
    pub const MPI_NEIGHBOR_ALLGATHERV: FunctionId = FunctionId(342);
    pub const MPI_NEIGHBOR_ALLGATHERV_C: FunctionId = FunctionId(343);
    pub const MPI_NEIGHBOR_ALLGATHERV_INIT: FunctionId = FunctionId(344);
    pub const MPI_NEIGHBOR_ALLGATHERV_INIT_C: FunctionId = FunctionId(345);
    pub const MPI_NEIGHBOR_ALLTOALL: FunctionId = FunctionId(346);
    pub const MPI_NEIGHBOR_ALLTOALL_C: FunctionId = FunctionId(347);
    pub const MPI_NEIGHBOR_ALLTOALL_INIT: FunctionId = FunctionId(348);
    pub const MPI_NEIGHBOR_ALLTOALL_INIT_C: FunctionId = FunctionId(349);
    pub const MPI_NEIGHBOR_ALLTOALLV: FunctionId = FunctionId(350);
    pub const MPI_NEIGHBOR_ALLTOALLV_C: FunctionId = FunctionId(351);
    pub const MPI_NEIGHBOR_ALLTOALLV_INIT: FunctionId = FunctionId(352);
    pub const MPI_NEIGHBOR_ALLTOALLV_INIT_C: FunctionId = FunctionId(353);
    pub const MPI_NEIGHBOR_ALLTOALLW: FunctionId = FunctionId(354);
    pub const MPI_NEIGHBOR_ALLTOALLW_C: FunctionId = FunctionId(355);
    pub const MPI_NEIGHBOR_ALLTOALLW_INIT: FunctionId = FunctionId(356);
    pub const MPI_NEIGHBOR_ALLTOALLW_INIT_C: FunctionId = FunctionId(357);
    pub const MPI_OP_COMMUTATIVE: FunctionId = FunctionId(358);
    pub const MPI_OP_CREATE: FunctionId = FunctionId(359);
    pub const MPI_OP_CREATE_C: FunctionId = FunctionId(360);
    pub const MPI_OP_FREE: FunctionId = FunctionId(361);
    pub const MPI_OPEN_PORT: FunctionId = FunctionId(362);
    pub const MPI_PACK: FunctionId = FunctionId(363);
    pub const MPI_PACK_C: FunctionId = FunctionId(364);
    pub const MPI_PACK_EXTERNAL: FunctionId = FunctionId(365);
    pub const MPI_PACK_EXTERNAL_C: FunctionId = FunctionId(366);
    pub const MPI_PACK_EXTERNAL_SIZE: FunctionId = FunctionId(367);
    pub const MPI_PACK_EXTERNAL_SIZE_C: FunctionId = FunctionId(368);
    pub const MPI_PACK_SIZE: FunctionId = FunctionId(369);
    pub const MPI_PACK_SIZE_C: FunctionId = FunctionId(370);
    pub const MPI_PARRIVED: FunctionId = FunctionId(371);
    pub const MPI_PCONTROL: FunctionId = FunctionId(372);
    pub const MPI_PREADY: FunctionId = FunctionId(373);
    pub const MPI_PREADY_LIST: FunctionId = FunctionId(374);
    pub const MPI_PREADY_RANGE: FunctionId = FunctionId(375);
    pub const MPI_PRECV_INIT: FunctionId = FunctionId(376);
    pub const MPI_PROBE: FunctionId = FunctionId(377);
    pub const MPI_PSEND_INIT: FunctionId = FunctionId(378);
    pub const MPI_PUBLISH_NAME: FunctionId = FunctionId(379);
    pub const MPI_PUT: FunctionId = FunctionId(380);
    pub const MPI_PUT_C: FunctionId = FunctionId(381);
    pub const MPI_QUERY_THREAD: FunctionId = FunctionId(382);
    pub const MPI_RACCUMULATE: FunctionId = FunctionId(383);
    pub const MPI_RACCUMULATE_C: FunctionId = FunctionId(384);
    pub const MPI_RECV: FunctionId = FunctionId(385);
    pub const MPI_RECV_C: FunctionId = FunctionId(386);
    pub const MPI_RECV_INIT: FunctionId = FunctionId(387);
    pub const MPI_RECV_INIT_C: FunctionId = FunctionId(388);
    pub const MPI_REDUCE: FunctionId = FunctionId(389);
    pub const MPI_REDUCE_C: FunctionId = FunctionId(390);
    pub const MPI_REDUCE_INIT: FunctionId = FunctionId(391);
    pub const MPI_REDUCE_INIT_C: FunctionId = FunctionId(392);
    pub const MPI_REDUCE_LOCAL: FunctionId = FunctionId(393);
    pub const MPI_REDUCE_LOCAL_C: FunctionId = FunctionId(394);
    pub const MPI_REDUCE_SCATTER: FunctionId = FunctionId(395);
    pub const MPI_REDUCE_SCATTER_BLOCK: FunctionId = FunctionId(396);
    pub const MPI_REDUCE_SCATTER_BLOCK_C: FunctionId = FunctionId(397);
    pub const MPI_REDUCE_SCATTER_BLOCK_INIT: FunctionId = FunctionId(398);
    pub const MPI_REDUCE_SCATTER_BLOCK_INIT_C: FunctionId = FunctionId(399);
    pub const MPI_REDUCE_SCATTER_C: FunctionId = FunctionId(400);
    pub const MPI_REDUCE_SCATTER_INIT: FunctionId = FunctionId(401);
    pub const MPI_REDUCE_SCATTER_INIT_C: FunctionId = FunctionId(402);
    pub const MPI_REGISTER_DATAREP: FunctionId = FunctionId(403);
    pub const MPI_REGISTER_DATAREP_C: FunctionId = FunctionId(404);
    pub const MPI_REMOVE_ERROR_CLASS: FunctionId = FunctionId(405);
    pub const MPI_REMOVE_ERROR_CODE: FunctionId = FunctionId(406);
    pub const MPI_REMOVE_ERROR_STRING: FunctionId = FunctionId(407);
    pub const MPI_REQUEST_FREE: FunctionId = FunctionId(408);
    pub const MPI_REQUEST_GET_STATUS: FunctionId = FunctionId(409);
    pub const MPI_REQUEST_GET_STATUS_ALL: FunctionId = FunctionId(410);
    pub const MPI_REQUEST_GET_STATUS_ANY: FunctionId = FunctionId(411);
    pub const MPI_REQUEST_GET_STATUS_SOME: FunctionId = FunctionId(412);
    pub const MPI_RGET: FunctionId = FunctionId(413);
    pub const MPI_RGET_ACCUMULATE: FunctionId = FunctionId(414);
    pub const MPI_RGET_ACCUMULATE_C: FunctionId = FunctionId(415);
    pub const MPI_RGET_C: FunctionId = FunctionId(416);
    pub const MPI_RPUT: FunctionId = FunctionId(417);
    pub const MPI_RPUT_C: FunctionId = FunctionId(418);
    pub const MPI_RSEND: FunctionId = FunctionId(419);
    pub const MPI_RSEND_C: FunctionId = FunctionId(420);
    pub const MPI_RSEND_INIT: FunctionId = FunctionId(421);
    pub const MPI_RSEND_INIT_C: FunctionId = FunctionId(422);
    pub const MPI_SCAN: FunctionId = FunctionId(423);
    pub const MPI_SCAN_C: FunctionId = FunctionId(424);
    pub const MPI_SCAN_INIT: FunctionId = FunctionId(425);
    pub const MPI_SCAN_INIT_C: FunctionId = FunctionId(426);
    pub const MPI_SCATTER: FunctionId = FunctionId(427);
    pub const MPI_SCATTER_C: FunctionId = FunctionId(428);
    pub const MPI_SCATTER_INIT: FunctionId = FunctionId(429);
    pub const MPI_SCATTER_INIT_C: FunctionId = FunctionId(430);
    pub const MPI_SCATTERV: FunctionId = FunctionId(431);
    pub const MPI_SCATTERV_C: FunctionId = FunctionId(432);
    pub const MPI_SCATTERV_INIT: FunctionId = FunctionId(433);
    pub const MPI_SCATTERV_INIT_C: FunctionId = FunctionId(434);
    pub const MPI_SEND: FunctionId = FunctionId(435);
    pub const MPI_SEND_C: FunctionId = FunctionId(436);
    pub const MPI_SEND_INIT: FunctionId = FunctionId(437);
    pub const MPI_SEND_INIT_C: FunctionId = FunctionId(438);
    pub const MPI_SENDRECV: FunctionId = FunctionId(439);
    pub const MPI_SENDRECV_C: FunctionId = FunctionId(440);
    pub const MPI_SENDRECV_REPLACE: FunctionId = FunctionId(441);
    pub const MPI_SENDRECV_REPLACE_C: FunctionId = FunctionId(442);
    pub const MPI_SESSION_ATTACH_BUFFER: FunctionId = FunctionId(443);
    pub const MPI_SESSION_ATTACH_BUFFER_C: FunctionId = FunctionId(444);
    pub const MPI_SESSION_CALL_ERRHANDLER: FunctionId = FunctionId(445);
    pub const MPI_SESSION_CREATE_ERRHANDLER: FunctionId = FunctionId(446);
    pub const MPI_SESSION_DETACH_BUFFER: FunctionId = FunctionId(447);
    pub const MPI_SESSION_DETACH_BUFFER_C: FunctionId = FunctionId(448);
    pub const MPI_SESSION_FINALIZE: FunctionId = FunctionId(449);
    pub const MPI_SESSION_FLUSH_BUFFER: FunctionId = FunctionId(450);
    pub const MPI_SESSION_GET_ERRHANDLER: FunctionId = FunctionId(451);
    pub const MPI_SESSION_GET_INFO: FunctionId = FunctionId(452);
    pub const MPI_SESSION_GET_NTH_PSET: FunctionId = FunctionId(453);
    pub const MPI_SESSION_GET_NUM_PSETS: FunctionId = FunctionId(454);
    pub const MPI_SESSION_GET_PSET_INFO: FunctionId = FunctionId(455);
    pub const MPI_SESSION_IFLUSH_BUFFER: FunctionId = FunctionId(456);
    pub const MPI_SESSION_INIT: FunctionId = FunctionId(457);
    pub const MPI_SESSION_SET_ERRHANDLER: FunctionId = FunctionId(458);
    pub const MPI_SSEND: FunctionId = FunctionId(459);
    pub const MPI_SSEND_C: FunctionId = FunctionId(460);
    pub const MPI_SSEND_INIT: FunctionId = FunctionId(461);
    pub const MPI_SSEND_INIT_C: FunctionId = FunctionId(462);
    pub const MPI_START: FunctionId = FunctionId(463);
    pub const MPI_STARTALL: FunctionId = FunctionId(464);
    pub const MPI_STATUS_GET_ERROR: FunctionId = FunctionId(465);
    pub const MPI_STATUS_GET_SOURCE: FunctionId = FunctionId(466);
    pub const MPI_STATUS_GET_TAG: FunctionId = FunctionId(467);
    pub const MPI_STATUS_SET_CANCELLED: FunctionId = FunctionId(468);
    pub const MPI_STATUS_SET_ELEMENTS: FunctionId = FunctionId(469);
    pub const MPI_STATUS_SET_ELEMENTS_C: FunctionId = FunctionId(470);
    pub const MPI_STATUS_SET_ELEMENTS_X: FunctionId = FunctionId(471);
    pub const MPI_STATUS_SET_ERROR: FunctionId = FunctionId(472);
    pub const MPI_STATUS_SET_SOURCE: FunctionId = FunctionId(473);
    pub const MPI_STATUS_SET_TAG: FunctionId = FunctionId(474);
    pub const MPI_TEST: FunctionId = FunctionId(475);
    pub const MPI_TEST_CANCELLED: FunctionId = FunctionId(476);
    pub const MPI_TESTALL: FunctionId = FunctionId(477);
    pub const MPI_TESTANY: FunctionId = FunctionId(478);
    pub const MPI_TESTSOME: FunctionId = FunctionId(479);
    pub const MPI_TOPO_TEST: FunctionId = FunctionId(480);
    pub const MPI_TYPE_COMMIT: FunctionId = FunctionId(481);
    pub const MPI_TYPE_CONTIGUOUS: FunctionId = FunctionId(482);
    pub const MPI_TYPE_CONTIGUOUS_C: FunctionId = FunctionId(483);
    pub const MPI_TYPE_CREATE_DARRAY: FunctionId = FunctionId(484);
    pub const MPI_TYPE_CREATE_DARRAY_C: FunctionId = FunctionId(485);
    pub const MPI_TYPE_CREATE_F90_COMPLEX: FunctionId = FunctionId(486);
    pub const MPI_TYPE_CREATE_F90_INTEGER: FunctionId = FunctionId(487);
    pub const MPI_TYPE_CREATE_F90_REAL: FunctionId = FunctionId(488);
    pub const MPI_TYPE_CREATE_HINDEXED: FunctionId = FunctionId(489);
    pub const MPI_TYPE_CREATE_HINDEXED_BLOCK: FunctionId = FunctionId(490);
    pub const MPI_TYPE_CREATE_HINDEXED_BLOCK_C: FunctionId = FunctionId(491);
    pub const MPI_TYPE_CREATE_HINDEXED_C: FunctionId = FunctionId(492);
    pub const MPI_TYPE_CREATE_HVECTOR: FunctionId = FunctionId(493);
    pub const MPI_TYPE_CREATE_HVECTOR_C: FunctionId = FunctionId(494);
    pub const MPI_TYPE_CREATE_INDEXED_BLOCK: FunctionId = FunctionId(495);
    pub const MPI_TYPE_CREATE_INDEXED_BLOCK_C: FunctionId = FunctionId(496);
    pub const MPI_TYPE_CREATE_KEYVAL: FunctionId = FunctionId(497);
    pub const MPI_TYPE_CREATE_RESIZED: FunctionId = FunctionId(498);
    pub const MPI_TYPE_CREATE_RESIZED_C: FunctionId = FunctionId(499);
    pub const MPI_TYPE_CREATE_STRUCT: FunctionId = FunctionId(500);
    pub const MPI_TYPE_CREATE_STRUCT_C: FunctionId = FunctionId(501);
    pub const MPI_TYPE_CREATE_SUBARRAY: FunctionId = FunctionId(502);
    pub const MPI_TYPE_CREATE_SUBARRAY_C: FunctionId = FunctionId(503);
    pub const MPI_TYPE_DELETE_ATTR: FunctionId = FunctionId(504);
    pub const MPI_TYPE_DUP: FunctionId = FunctionId(505);
    pub const MPI_TYPE_EXTENT: FunctionId = FunctionId(506);
    pub const MPI_TYPE_FREE: FunctionId = FunctionId(507);
    pub const MPI_TYPE_FREE_KEYVAL: FunctionId = FunctionId(508);
    pub const MPI_TYPE_GET_ATTR: FunctionId = FunctionId(509);
    pub const MPI_TYPE_GET_CONTENTS: FunctionId = FunctionId(510);
    pub const MPI_TYPE_GET_CONTENTS_C: FunctionId = FunctionId(511);
    pub const MPI_TYPE_GET_ENVELOPE: FunctionId = FunctionId(512);
    pub const MPI_TYPE_GET_ENVELOPE_C: FunctionId = FunctionId(513);
    pub const MPI_TYPE_GET_EXTENT: FunctionId = FunctionId(514);
    pub const MPI_TYPE_GET_EXTENT_C: FunctionId = FunctionId(515);
    pub const MPI_TYPE_GET_EXTENT_X: FunctionId = FunctionId(516);
    pub const MPI_TYPE_GET_NAME: FunctionId = FunctionId(517);
    pub const MPI_TYPE_GET_TRUE_EXTENT: FunctionId = FunctionId(518);
    pub const MPI_TYPE_GET_TRUE_EXTENT_C: FunctionId = FunctionId(519);
    pub const MPI_TYPE_GET_TRUE_EXTENT_X: FunctionId = FunctionId(520);
    pub const MPI_TYPE_GET_VALUE_INDEX: FunctionId = FunctionId(521);
    pub const MPI_TYPE_HINDEXED: FunctionId = FunctionId(522);
    pub const MPI_TYPE_HVECTOR: FunctionId = FunctionId(523);
    pub const MPI_TYPE_INDEXED: FunctionId = FunctionId(524);
    pub const MPI_TYPE_INDEXED_C: FunctionId = FunctionId(525);
    pub const MPI_TYPE_LB: FunctionId = FunctionId(526);
    pub const MPI_TYPE_MATCH_SIZE: FunctionId = FunctionId(527);
    pub const MPI_TYPE_SET_ATTR: FunctionId = FunctionId(528);
    pub const MPI_TYPE_SET_NAME: FunctionId = FunctionId(529);
    pub const MPI_TYPE_SIZE: FunctionId = FunctionId(530);
    pub const MPI_TYPE_SIZE_C: FunctionId = FunctionId(531);
    pub const MPI_TYPE_SIZE_X: FunctionId = FunctionId(532);
    pub const MPI_TYPE_STRUCT: FunctionId = FunctionId(533);
    pub const MPI_TYPE_UB: FunctionId = FunctionId(534);
    pub const MPI_TYPE_VECTOR: FunctionId = FunctionId(535);
    pub const MPI_TYPE_VECTOR_C: FunctionId = FunctionId(536);
    pub const MPI_UNPACK: FunctionId = FunctionId(537);
    pub const MPI_UNPACK_C: FunctionId = FunctionId(538);
    pub const MPI_UNPACK_EXTERNAL: FunctionId = FunctionId(539);
    pub const MPI_UNPACK_EXTERNAL_C: FunctionId = FunctionId(540);
    pub const MPI_UNPUBLISH_NAME: FunctionId = FunctionId(541);
    pub const MPI_WAIT: FunctionId = FunctionId(542);
    pub const MPI_WAITALL: FunctionId = FunctionId(543);
    pub const MPI_WAITANY: FunctionId = FunctionId(544);
    pub const MPI_WAITSOME: FunctionId = FunctionId(545);
    pub const MPI_WIN_ALLOCATE: FunctionId = FunctionId(546);
    pub const MPI_WIN_ALLOCATE_C: FunctionId = FunctionId(547);
    pub const MPI_WIN_ALLOCATE_SHARED: FunctionId = FunctionId(548);
    pub const MPI_WIN_ALLOCATE_SHARED_C: FunctionId = FunctionId(549);
    pub const MPI_WIN_ATTACH: FunctionId = FunctionId(550);
    pub const MPI_WIN_CALL_ERRHANDLER: FunctionId = FunctionId(551);
    pub const MPI_WIN_COMPLETE: FunctionId = FunctionId(552);
    pub const MPI_WIN_CREATE: FunctionId = FunctionId(553);
    pub const MPI_WIN_CREATE_C: FunctionId = FunctionId(554);
    pub const MPI_WIN_CREATE_DYNAMIC: FunctionId = FunctionId(555);
    pub const MPI_WIN_CREATE_ERRHANDLER: FunctionId = FunctionId(556);
    pub const MPI_WIN_CREATE_KEYVAL: FunctionId = FunctionId(557);
    pub const MPI_WIN_DELETE_ATTR: FunctionId = FunctionId(558);
    pub const MPI_WIN_DETACH: FunctionId = FunctionId(559);
    pub const MPI_WIN_FENCE: FunctionId = FunctionId(560);
    pub const MPI_WIN_FLUSH: FunctionId = FunctionId(561);
    pub const MPI_WIN_FLUSH_ALL: FunctionId = FunctionId(562);
    pub const MPI_WIN_FLUSH_LOCAL: FunctionId = FunctionId(563);
    pub const MPI_WIN_FLUSH_LOCAL_ALL: FunctionId = FunctionId(564);
    pub const MPI_WIN_FREE: FunctionId = FunctionId(565);
    pub const MPI_WIN_FREE_KEYVAL: FunctionId = FunctionId(566);
    pub const MPI_WIN_GET_ATTR: FunctionId = FunctionId(567);
    pub const MPI_WIN_GET_ERRHANDLER: FunctionId = FunctionId(568);
    pub const MPI_WIN_GET_GROUP: FunctionId = FunctionId(569);
    pub const MPI_WIN_GET_INFO: FunctionId = FunctionId(570);
    pub const MPI_WIN_GET_NAME: FunctionId = FunctionId(571);
    pub const MPI_WIN_LOCK: FunctionId = FunctionId(572);
    pub const MPI_WIN_LOCK_ALL: FunctionId = FunctionId(573);
    pub const MPI_WIN_POST: FunctionId = FunctionId(574);
    pub const MPI_WIN_SET_ATTR: FunctionId = FunctionId(575);
    pub const MPI_WIN_SET_ERRHANDLER: FunctionId = FunctionId(576);
    pub const MPI_WIN_SET_INFO: FunctionId = FunctionId(577);
    pub const MPI_WIN_SET_NAME: FunctionId = FunctionId(578);
    pub const MPI_WIN_SHARED_QUERY: FunctionId = FunctionId(579);
    pub const MPI_WIN_SHARED_QUERY_C: FunctionId = FunctionId(580);
    pub const MPI_WIN_START: FunctionId = FunctionId(581);
    pub const MPI_WIN_SYNC: FunctionId = FunctionId(582);
    pub const MPI_WIN_TEST: FunctionId = FunctionId(583);
    pub const MPI_WIN_UNLOCK: FunctionId = FunctionId(584);
    pub const MPI_WIN_UNLOCK_ALL: FunctionId = FunctionId(585);
    pub const MPI_WIN_WAIT: FunctionId = FunctionId(586);
}

/// Calls `callback!` once, with a row for every function of the table.
///
/// A row is `(index, C name, [C arguments], [Fortran names], [Fortran arguments])`,
/// the Fortran lists empty where `mpif.h` has no such call. Fortran arguments
/// include `ierror` and one hidden length by value for each CHARACTER argument.
///
/// ```
/// macro_rules! count {
///     ($(($index:literal, $c:ident, [$($a:ident)*], [$($f:ident)*], [$($b:ident)*]))*) => {
///         const N: usize = [$($index),*].len();
///     };
/// }
/// mpi_abi::for_each_function!(count);
/// assert_eq!(N, mpi_abi::FUNCTIONS.len());
/// ```
#[macro_export]
macro_rules! for_each_function {
    ($($callback:tt)+) => {
        $($callback)+! {
            (0, MPI_Abort, [a0 a1], [mpi_abort_ mpi_abort__], [a0 a1 a2])
            (1, MPI_Accumulate, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_accumulate_ mpi_accumulate__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (2, MPI_Accumulate_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (3, MPI_Add_error_class, [a0], [mpi_add_error_class_ mpi_add_error_class__], [a0 a1])
            (4, MPI_Add_error_code, [a0 a1], [mpi_add_error_code_ mpi_add_error_code__], [a0 a1 a2])
            (5, MPI_Add_error_string, [a0 a1], [mpi_add_error_string_ mpi_add_error_string__], [a0 a1 a2 a3])
            (6, MPI_Address, [a0 a1], [mpi_address_ mpi_address__], [a0 a1 a2])
            (7, MPI_Allgather, [a0 a1 a2 a3 a4 a5 a6], [mpi_allgather_ mpi_allgather__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (8, MPI_Allgather_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (9, MPI_Allgather_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_allgather_init_ mpi_allgather_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (10, MPI_Allgather_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (11, MPI_Allgatherv, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_allgatherv_ mpi_allgatherv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (12, MPI_Allgatherv_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (13, MPI_Allgatherv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_allgatherv_init_ mpi_allgatherv_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (14, MPI_Allgatherv_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [])
            (15, MPI_Alloc_mem, [a0 a1 a2], [mpi_alloc_mem_ mpi_alloc_mem__], [a0 a1 a2 a3])
            (16, MPI_Allreduce, [a0 a1 a2 a3 a4 a5], [mpi_allreduce_ mpi_allreduce__], [a0 a1 a2 a3 a4 a5 a6])
            (17, MPI_Allreduce_c, [a0 a1 a2 a3 a4 a5], [], [])
            (18, MPI_Allreduce_init, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_allreduce_init_ mpi_allreduce_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (19, MPI_Allreduce_init_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (20, MPI_Alltoall, [a0 a1 a2 a3 a4 a5 a6], [mpi_alltoall_ mpi_alltoall__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (21, MPI_Alltoall_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (22, MPI_Alltoall_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_alltoall_init_ mpi_alltoall_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (23, MPI_Alltoall_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (24, MPI_Alltoallv, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_alltoallv_ mpi_alltoallv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (25, MPI_Alltoallv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (26, MPI_Alltoallv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_alltoallv_init_ mpi_alltoallv_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (27, MPI_Alltoallv_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [], [])
            (28, MPI_Alltoallw, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_alltoallw_ mpi_alltoallw__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (29, MPI_Alltoallw_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (30, MPI_Alltoallw_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_alltoallw_init_ mpi_alltoallw_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (31, MPI_Alltoallw_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [], [])
            (32, MPI_Attr_delete, [a0 a1], [mpi_attr_delete_ mpi_attr_delete__], [a0 a1 a2])
            (33, MPI_Attr_get, [a0 a1 a2 a3], [mpi_attr_get_ mpi_attr_get__], [a0 a1 a2 a3 a4])
            (34, MPI_Attr_put, [a0 a1 a2], [mpi_attr_put_ mpi_attr_put__], [a0 a1 a2 a3])
            (35, MPI_Barrier, [a0], [mpi_barrier_ mpi_barrier__], [a0 a1])
            (36, MPI_Barrier_init, [a0 a1 a2], [mpi_barrier_init_ mpi_barrier_init__], [a0 a1 a2 a3])
            (37, MPI_Bcast, [a0 a1 a2 a3 a4], [mpi_bcast_ mpi_bcast__], [a0 a1 a2 a3 a4 a5])
            (38, MPI_Bcast_c, [a0 a1 a2 a3 a4], [], [])
            (39, MPI_Bcast_init, [a0 a1 a2 a3 a4 a5 a6], [mpi_bcast_init_ mpi_bcast_init__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (40, MPI_Bcast_init_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (41, MPI_Bsend, [a0 a1 a2 a3 a4 a5], [mpi_bsend_ mpi_bsend__], [a0 a1 a2 a3 a4 a5 a6])
            (42, MPI_Bsend_c, [a0 a1 a2 a3 a4 a5], [], [])
            (43, MPI_Bsend_init, [a0 a1 a2 a3 a4 a5 a6], [mpi_bsend_init_ mpi_bsend_init__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (44, MPI_Bsend_init_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (45, MPI_Buffer_attach, [a0 a1], [mpi_buffer_attach_ mpi_buffer_attach__], [a0 a1 a2])
            (46, MPI_Buffer_attach_c, [a0 a1], [], [])
            (47, MPI_Buffer_detach, [a0 a1], [mpi_buffer_detach_ mpi_buffer_detach__], [a0 a1 a2])
            (48, MPI_Buffer_detach_c, [a0 a1], [], [])
            (49, MPI_Buffer_flush, [], [mpi_buffer_flush_ mpi_buffer_flush__], [a0])
            (50, MPI_Buffer_iflush, [a0], [mpi_buffer_iflush_ mpi_buffer_iflush__], [a0 a1])
            (51, MPI_Cancel, [a0], [mpi_cancel_ mpi_cancel__], [a0 a1])
            (52, MPI_Cart_coords, [a0 a1 a2 a3], [mpi_cart_coords_ mpi_cart_coords__], [a0 a1 a2 a3 a4])
            (53, MPI_Cart_create, [a0 a1 a2 a3 a4 a5], [mpi_cart_create_ mpi_cart_create__], [a0 a1 a2 a3 a4 a5 a6])
            (54, MPI_Cart_get, [a0 a1 a2 a3 a4], [mpi_cart_get_ mpi_cart_get__], [a0 a1 a2 a3 a4 a5])
            (55, MPI_Cart_map, [a0 a1 a2 a3 a4], [mpi_cart_map_ mpi_cart_map__], [a0 a1 a2 a3 a4 a5])
            (56, MPI_Cart_rank, [a0 a1 a2], [mpi_cart_rank_ mpi_cart_rank__], [a0 a1 a2 a3])
            (57, MPI_Cart_shift, [a0 a1 a2 a3 a4], [mpi_cart_shift_ mpi_cart_shift__], [a0 a1 a2 a3 a4 a5])
            (58, MPI_Cart_sub, [a0 a1 a2], [mpi_cart_sub_ mpi_cart_sub__], [a0 a1 a2 a3])
            (59, MPI_Cartdim_get, [a0 a1], [mpi_cartdim_get_ mpi_cartdim_get__], [a0 a1 a2])
            (60, MPI_Close_port, [a0], [mpi_close_port_ mpi_close_port__], [a0 a1 a2])
            (61, MPI_Comm_accept, [a0 a1 a2 a3 a4], [mpi_comm_accept_ mpi_comm_accept__], [a0 a1 a2 a3 a4 a5 a6])
            (62, MPI_Comm_attach_buffer, [a0 a1 a2], [mpi_comm_attach_buffer_ mpi_comm_attach_buffer__], [a0 a1 a2 a3])
            (63, MPI_Comm_attach_buffer_c, [a0 a1 a2], [], [])
            (64, MPI_Comm_call_errhandler, [a0 a1], [mpi_comm_call_errhandler_ mpi_comm_call_errhandler__], [a0 a1 a2])
            (65, MPI_Comm_compare, [a0 a1 a2], [mpi_comm_compare_ mpi_comm_compare__], [a0 a1 a2 a3])
            (66, MPI_Comm_connect, [a0 a1 a2 a3 a4], [mpi_comm_connect_ mpi_comm_connect__], [a0 a1 a2 a3 a4 a5 a6])
            (67, MPI_Comm_create, [a0 a1 a2], [mpi_comm_create_ mpi_comm_create__], [a0 a1 a2 a3])
            (68, MPI_Comm_create_errhandler, [a0 a1], [mpi_comm_create_errhandler_ mpi_comm_create_errhandler__], [a0 a1 a2])
            (69, MPI_Comm_create_from_group, [a0 a1 a2 a3 a4], [mpi_comm_create_from_group_ mpi_comm_create_from_group__], [a0 a1 a2 a3 a4 a5 a6])
            (70, MPI_Comm_create_group, [a0 a1 a2 a3], [mpi_comm_create_group_ mpi_comm_create_group__], [a0 a1 a2 a3 a4])
            (71, MPI_Comm_create_keyval, [a0 a1 a2 a3], [mpi_comm_create_keyval_ mpi_comm_create_keyval__], [a0 a1 a2 a3 a4])
            (72, MPI_Comm_delete_attr, [a0 a1], [mpi_comm_delete_attr_ mpi_comm_delete_attr__], [a0 a1 a2])
            (73, MPI_Comm_detach_buffer, [a0 a1 a2], [mpi_comm_detach_buffer_ mpi_comm_detach_buffer__], [a0 a1 a2 a3])
            (74, MPI_Comm_detach_buffer_c, [a0 a1 a2], [], [])
            (75, MPI_Comm_disconnect, [a0], [mpi_comm_disconnect_ mpi_comm_disconnect__], [a0 a1])
            (76, MPI_Comm_dup, [a0 a1], [mpi_comm_dup_ mpi_comm_dup__], [a0 a1 a2])
            (77, MPI_Comm_dup_with_info, [a0 a1 a2], [mpi_comm_dup_with_info_ mpi_comm_dup_with_info__], [a0 a1 a2 a3])
            (78, MPI_Comm_flush_buffer, [a0], [mpi_comm_flush_buffer_ mpi_comm_flush_buffer__], [a0 a1])
            (79, MPI_Comm_free, [a0], [mpi_comm_free_ mpi_comm_free__], [a0 a1])
            (80, MPI_Comm_free_keyval, [a0], [mpi_comm_free_keyval_ mpi_comm_free_keyval__], [a0 a1])
            (81, MPI_Comm_get_attr, [a0 a1 a2 a3], [mpi_comm_get_attr_ mpi_comm_get_attr__], [a0 a1 a2 a3 a4])
            (82, MPI_Comm_get_errhandler, [a0 a1], [mpi_comm_get_errhandler_ mpi_comm_get_errhandler__], [a0 a1 a2])
            (83, MPI_Comm_get_info, [a0 a1], [mpi_comm_get_info_ mpi_comm_get_info__], [a0 a1 a2])
            (84, MPI_Comm_get_name, [a0 a1 a2], [mpi_comm_get_name_ mpi_comm_get_name__], [a0 a1 a2 a3 a4])
            (85, MPI_Comm_get_parent, [a0], [mpi_comm_get_parent_ mpi_comm_get_parent__], [a0 a1])
            (86, MPI_Comm_group, [a0 a1], [mpi_comm_group_ mpi_comm_group__], [a0 a1 a2])
            (87, MPI_Comm_idup, [a0 a1 a2], [mpi_comm_idup_ mpi_comm_idup__], [a0 a1 a2 a3])
            (88, MPI_Comm_idup_with_info, [a0 a1 a2 a3], [mpi_comm_idup_with_info_ mpi_comm_idup_with_info__], [a0 a1 a2 a3 a4])
            (89, MPI_Comm_iflush_buffer, [a0 a1], [mpi_comm_iflush_buffer_ mpi_comm_iflush_buffer__], [a0 a1 a2])
            (90, MPI_Comm_join, [a0 a1], [mpi_comm_join_ mpi_comm_join__], [a0 a1 a2])
            (91, MPI_Comm_rank, [a0 a1], [mpi_comm_rank_ mpi_comm_rank__], [a0 a1 a2])
            (92, MPI_Comm_remote_group, [a0 a1], [mpi_comm_remote_group_ mpi_comm_remote_group__], [a0 a1 a2])
            (93, MPI_Comm_remote_size, [a0 a1], [mpi_comm_remote_size_ mpi_comm_remote_size__], [a0 a1 a2])
            (94, MPI_Comm_set_attr, [a0 a1 a2], [mpi_comm_set_attr_ mpi_comm_set_attr__], [a0 a1 a2 a3])
            (95, MPI_Comm_set_errhandler, [a0 a1], [mpi_comm_set_errhandler_ mpi_comm_set_errhandler__], [a0 a1 a2])
            (96, MPI_Comm_set_info, [a0 a1], [mpi_comm_set_info_ mpi_comm_set_info__], [a0 a1 a2])
            (97, MPI_Comm_set_name, [a0 a1], [mpi_comm_set_name_ mpi_comm_set_name__], [a0 a1 a2 a3])
            (98, MPI_Comm_size, [a0 a1], [mpi_comm_size_ mpi_comm_size__], [a0 a1 a2])
            (99, MPI_Comm_spawn, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_comm_spawn_ mpi_comm_spawn__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (100, MPI_Comm_spawn_multiple, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_comm_spawn_multiple_ mpi_comm_spawn_multiple__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (101, MPI_Comm_split, [a0 a1 a2 a3], [mpi_comm_split_ mpi_comm_split__], [a0 a1 a2 a3 a4])
            (102, MPI_Comm_split_type, [a0 a1 a2 a3 a4], [mpi_comm_split_type_ mpi_comm_split_type__], [a0 a1 a2 a3 a4 a5])
            (103, MPI_Comm_test_inter, [a0 a1], [mpi_comm_test_inter_ mpi_comm_test_inter__], [a0 a1 a2])
            (104, MPI_Compare_and_swap, [a0 a1 a2 a3 a4 a5 a6], [mpi_compare_and_swap_ mpi_compare_and_swap__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (105, MPI_Dims_create, [a0 a1 a2], [mpi_dims_create_ mpi_dims_create__], [a0 a1 a2 a3])
            (106, MPI_Dist_graph_create, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_dist_graph_create_ mpi_dist_graph_create__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (107, MPI_Dist_graph_create_adjacent, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_dist_graph_create_adjacent_ mpi_dist_graph_create_adjacent__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (108, MPI_Dist_graph_neighbors, [a0 a1 a2 a3 a4 a5 a6], [mpi_dist_graph_neighbors_ mpi_dist_graph_neighbors__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (109, MPI_Dist_graph_neighbors_count, [a0 a1 a2 a3], [mpi_dist_graph_neighbors_count_ mpi_dist_graph_neighbors_count__], [a0 a1 a2 a3 a4])
            (110, MPI_Errhandler_create, [a0 a1], [mpi_errhandler_create_ mpi_errhandler_create__], [a0 a1 a2])
            (111, MPI_Errhandler_free, [a0], [mpi_errhandler_free_ mpi_errhandler_free__], [a0 a1])
            (112, MPI_Errhandler_get, [a0 a1], [mpi_errhandler_get_ mpi_errhandler_get__], [a0 a1 a2])
            (113, MPI_Errhandler_set, [a0 a1], [mpi_errhandler_set_ mpi_errhandler_set__], [a0 a1 a2])
            (114, MPI_Error_class, [a0 a1], [mpi_error_class_ mpi_error_class__], [a0 a1 a2])
            (115, MPI_Error_string, [a0 a1 a2], [mpi_error_string_ mpi_error_string__], [a0 a1 a2 a3 a4])
            (116, MPI_Exscan, [a0 a1 a2 a3 a4 a5], [mpi_exscan_ mpi_exscan__], [a0 a1 a2 a3 a4 a5 a6])
            (117, MPI_Exscan_c, [a0 a1 a2 a3 a4 a5], [], [])
            (118, MPI_Exscan_init, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_exscan_init_ mpi_exscan_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (119, MPI_Exscan_init_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (120, MPI_Fetch_and_op, [a0 a1 a2 a3 a4 a5 a6], [mpi_fetch_and_op_ mpi_fetch_and_op__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (121, MPI_File_call_errhandler, [a0 a1], [mpi_file_call_errhandler_ mpi_file_call_errhandler__], [a0 a1 a2])
            (122, MPI_File_close, [a0], [mpi_file_close_ mpi_file_close__], [a0 a1])
            (123, MPI_File_create_errhandler, [a0 a1], [mpi_file_create_errhandler_ mpi_file_create_errhandler__], [a0 a1 a2])
            (124, MPI_File_delete, [a0 a1], [mpi_file_delete_ mpi_file_delete__], [a0 a1 a2 a3])
            (125, MPI_File_get_amode, [a0 a1], [mpi_file_get_amode_ mpi_file_get_amode__], [a0 a1 a2])
            (126, MPI_File_get_atomicity, [a0 a1], [mpi_file_get_atomicity_ mpi_file_get_atomicity__], [a0 a1 a2])
            (127, MPI_File_get_byte_offset, [a0 a1 a2], [mpi_file_get_byte_offset_ mpi_file_get_byte_offset__], [a0 a1 a2 a3])
            (128, MPI_File_get_errhandler, [a0 a1], [mpi_file_get_errhandler_ mpi_file_get_errhandler__], [a0 a1 a2])
            (129, MPI_File_get_group, [a0 a1], [mpi_file_get_group_ mpi_file_get_group__], [a0 a1 a2])
            (130, MPI_File_get_info, [a0 a1], [mpi_file_get_info_ mpi_file_get_info__], [a0 a1 a2])
            (131, MPI_File_get_position, [a0 a1], [mpi_file_get_position_ mpi_file_get_position__], [a0 a1 a2])
            (132, MPI_File_get_position_shared, [a0 a1], [mpi_file_get_position_shared_ mpi_file_get_position_shared__], [a0 a1 a2])
            (133, MPI_File_get_size, [a0 a1], [mpi_file_get_size_ mpi_file_get_size__], [a0 a1 a2])
            (134, MPI_File_get_type_extent, [a0 a1 a2], [mpi_file_get_type_extent_ mpi_file_get_type_extent__], [a0 a1 a2 a3])
            (135, MPI_File_get_type_extent_c, [a0 a1 a2], [], [])
            (136, MPI_File_get_view, [a0 a1 a2 a3 a4], [mpi_file_get_view_ mpi_file_get_view__], [a0 a1 a2 a3 a4 a5 a6])
            (137, MPI_File_iread, [a0 a1 a2 a3 a4], [mpi_file_iread_ mpi_file_iread__], [a0 a1 a2 a3 a4 a5])
            (138, MPI_File_iread_all, [a0 a1 a2 a3 a4], [mpi_file_iread_all_ mpi_file_iread_all__], [a0 a1 a2 a3 a4 a5])
            (139, MPI_File_iread_all_c, [a0 a1 a2 a3 a4], [], [])
            (140, MPI_File_iread_at, [a0 a1 a2 a3 a4 a5], [mpi_file_iread_at_ mpi_file_iread_at__], [a0 a1 a2 a3 a4 a5 a6])
            (141, MPI_File_iread_at_all, [a0 a1 a2 a3 a4 a5], [mpi_file_iread_at_all_ mpi_file_iread_at_all__], [a0 a1 a2 a3 a4 a5 a6])
            (142, MPI_File_iread_at_all_c, [a0 a1 a2 a3 a4 a5], [], [])
            (143, MPI_File_iread_at_c, [a0 a1 a2 a3 a4 a5], [], [])
            (144, MPI_File_iread_c, [a0 a1 a2 a3 a4], [], [])
            (145, MPI_File_iread_shared, [a0 a1 a2 a3 a4], [mpi_file_iread_shared_ mpi_file_iread_shared__], [a0 a1 a2 a3 a4 a5])
            (146, MPI_File_iread_shared_c, [a0 a1 a2 a3 a4], [], [])
            (147, MPI_File_iwrite, [a0 a1 a2 a3 a4], [mpi_file_iwrite_ mpi_file_iwrite__], [a0 a1 a2 a3 a4 a5])
            (148, MPI_File_iwrite_all, [a0 a1 a2 a3 a4], [mpi_file_iwrite_all_ mpi_file_iwrite_all__], [a0 a1 a2 a3 a4 a5])
            (149, MPI_File_iwrite_all_c, [a0 a1 a2 a3 a4], [], [])
            (150, MPI_File_iwrite_at, [a0 a1 a2 a3 a4 a5], [mpi_file_iwrite_at_ mpi_file_iwrite_at__], [a0 a1 a2 a3 a4 a5 a6])
            (151, MPI_File_iwrite_at_all, [a0 a1 a2 a3 a4 a5], [mpi_file_iwrite_at_all_ mpi_file_iwrite_at_all__], [a0 a1 a2 a3 a4 a5 a6])
            (152, MPI_File_iwrite_at_all_c, [a0 a1 a2 a3 a4 a5], [], [])
            (153, MPI_File_iwrite_at_c, [a0 a1 a2 a3 a4 a5], [], [])
            (154, MPI_File_iwrite_c, [a0 a1 a2 a3 a4], [], [])
            (155, MPI_File_iwrite_shared, [a0 a1 a2 a3 a4], [mpi_file_iwrite_shared_ mpi_file_iwrite_shared__], [a0 a1 a2 a3 a4 a5])
            (156, MPI_File_iwrite_shared_c, [a0 a1 a2 a3 a4], [], [])
            (157, MPI_File_open, [a0 a1 a2 a3 a4], [mpi_file_open_ mpi_file_open__], [a0 a1 a2 a3 a4 a5 a6])
            (158, MPI_File_preallocate, [a0 a1], [mpi_file_preallocate_ mpi_file_preallocate__], [a0 a1 a2])
            (159, MPI_File_read, [a0 a1 a2 a3 a4], [mpi_file_read_ mpi_file_read__], [a0 a1 a2 a3 a4 a5])
            (160, MPI_File_read_all, [a0 a1 a2 a3 a4], [mpi_file_read_all_ mpi_file_read_all__], [a0 a1 a2 a3 a4 a5])
            (161, MPI_File_read_all_begin, [a0 a1 a2 a3], [mpi_file_read_all_begin_ mpi_file_read_all_begin__], [a0 a1 a2 a3 a4])
            (162, MPI_File_read_all_begin_c, [a0 a1 a2 a3], [], [])
            (163, MPI_File_read_all_c, [a0 a1 a2 a3 a4], [], [])
            (164, MPI_File_read_all_end, [a0 a1 a2], [mpi_file_read_all_end_ mpi_file_read_all_end__], [a0 a1 a2 a3])
            (165, MPI_File_read_at, [a0 a1 a2 a3 a4 a5], [mpi_file_read_at_ mpi_file_read_at__], [a0 a1 a2 a3 a4 a5 a6])
            (166, MPI_File_read_at_all, [a0 a1 a2 a3 a4 a5], [mpi_file_read_at_all_ mpi_file_read_at_all__], [a0 a1 a2 a3 a4 a5 a6])
            (167, MPI_File_read_at_all_begin, [a0 a1 a2 a3 a4], [mpi_file_read_at_all_begin_ mpi_file_read_at_all_begin__], [a0 a1 a2 a3 a4 a5])
            (168, MPI_File_read_at_all_begin_c, [a0 a1 a2 a3 a4], [], [])
            (169, MPI_File_read_at_all_c, [a0 a1 a2 a3 a4 a5], [], [])
            (170, MPI_File_read_at_all_end, [a0 a1 a2], [mpi_file_read_at_all_end_ mpi_file_read_at_all_end__], [a0 a1 a2 a3])
            (171, MPI_File_read_at_c, [a0 a1 a2 a3 a4 a5], [], [])
            (172, MPI_File_read_c, [a0 a1 a2 a3 a4], [], [])
            (173, MPI_File_read_ordered, [a0 a1 a2 a3 a4], [mpi_file_read_ordered_ mpi_file_read_ordered__], [a0 a1 a2 a3 a4 a5])
            (174, MPI_File_read_ordered_begin, [a0 a1 a2 a3], [mpi_file_read_ordered_begin_ mpi_file_read_ordered_begin__], [a0 a1 a2 a3 a4])
            (175, MPI_File_read_ordered_begin_c, [a0 a1 a2 a3], [], [])
            (176, MPI_File_read_ordered_c, [a0 a1 a2 a3 a4], [], [])
            (177, MPI_File_read_ordered_end, [a0 a1 a2], [mpi_file_read_ordered_end_ mpi_file_read_ordered_end__], [a0 a1 a2 a3])
            (178, MPI_File_read_shared, [a0 a1 a2 a3 a4], [mpi_file_read_shared_ mpi_file_read_shared__], [a0 a1 a2 a3 a4 a5])
            (179, MPI_File_read_shared_c, [a0 a1 a2 a3 a4], [], [])
            (180, MPI_File_seek, [a0 a1 a2], [mpi_file_seek_ mpi_file_seek__], [a0 a1 a2 a3])
            (181, MPI_File_seek_shared, [a0 a1 a2], [mpi_file_seek_shared_ mpi_file_seek_shared__], [a0 a1 a2 a3])
            (182, MPI_File_set_atomicity, [a0 a1], [mpi_file_set_atomicity_ mpi_file_set_atomicity__], [a0 a1 a2])
            (183, MPI_File_set_errhandler, [a0 a1], [mpi_file_set_errhandler_ mpi_file_set_errhandler__], [a0 a1 a2])
            (184, MPI_File_set_info, [a0 a1], [mpi_file_set_info_ mpi_file_set_info__], [a0 a1 a2])
            (185, MPI_File_set_size, [a0 a1], [mpi_file_set_size_ mpi_file_set_size__], [a0 a1 a2])
            (186, MPI_File_set_view, [a0 a1 a2 a3 a4 a5], [mpi_file_set_view_ mpi_file_set_view__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (187, MPI_File_sync, [a0], [mpi_file_sync_ mpi_file_sync__], [a0 a1])
            (188, MPI_File_write, [a0 a1 a2 a3 a4], [mpi_file_write_ mpi_file_write__], [a0 a1 a2 a3 a4 a5])
            (189, MPI_File_write_all, [a0 a1 a2 a3 a4], [mpi_file_write_all_ mpi_file_write_all__], [a0 a1 a2 a3 a4 a5])
            (190, MPI_File_write_all_begin, [a0 a1 a2 a3], [mpi_file_write_all_begin_ mpi_file_write_all_begin__], [a0 a1 a2 a3 a4])
            (191, MPI_File_write_all_begin_c, [a0 a1 a2 a3], [], [])
            (192, MPI_File_write_all_c, [a0 a1 a2 a3 a4], [], [])
            (193, MPI_File_write_all_end, [a0 a1 a2], [mpi_file_write_all_end_ mpi_file_write_all_end__], [a0 a1 a2 a3])
            (194, MPI_File_write_at, [a0 a1 a2 a3 a4 a5], [mpi_file_write_at_ mpi_file_write_at__], [a0 a1 a2 a3 a4 a5 a6])
            (195, MPI_File_write_at_all, [a0 a1 a2 a3 a4 a5], [mpi_file_write_at_all_ mpi_file_write_at_all__], [a0 a1 a2 a3 a4 a5 a6])
            (196, MPI_File_write_at_all_begin, [a0 a1 a2 a3 a4], [mpi_file_write_at_all_begin_ mpi_file_write_at_all_begin__], [a0 a1 a2 a3 a4 a5])
            (197, MPI_File_write_at_all_begin_c, [a0 a1 a2 a3 a4], [], [])
            (198, MPI_File_write_at_all_c, [a0 a1 a2 a3 a4 a5], [], [])
            (199, MPI_File_write_at_all_end, [a0 a1 a2], [mpi_file_write_at_all_end_ mpi_file_write_at_all_end__], [a0 a1 a2 a3])
            (200, MPI_File_write_at_c, [a0 a1 a2 a3 a4 a5], [], [])
            (201, MPI_File_write_c, [a0 a1 a2 a3 a4], [], [])
            (202, MPI_File_write_ordered, [a0 a1 a2 a3 a4], [mpi_file_write_ordered_ mpi_file_write_ordered__], [a0 a1 a2 a3 a4 a5])
            (203, MPI_File_write_ordered_begin, [a0 a1 a2 a3], [mpi_file_write_ordered_begin_ mpi_file_write_ordered_begin__], [a0 a1 a2 a3 a4])
            (204, MPI_File_write_ordered_begin_c, [a0 a1 a2 a3], [], [])
            (205, MPI_File_write_ordered_c, [a0 a1 a2 a3 a4], [], [])
            (206, MPI_File_write_ordered_end, [a0 a1 a2], [mpi_file_write_ordered_end_ mpi_file_write_ordered_end__], [a0 a1 a2 a3])
            (207, MPI_File_write_shared, [a0 a1 a2 a3 a4], [mpi_file_write_shared_ mpi_file_write_shared__], [a0 a1 a2 a3 a4 a5])
            (208, MPI_File_write_shared_c, [a0 a1 a2 a3 a4], [], [])
            (209, MPI_Finalize, [], [mpi_finalize_ mpi_finalize__], [a0])
            (210, MPI_Finalized, [a0], [mpi_finalized_ mpi_finalized__], [a0 a1])
            (211, MPI_Free_mem, [a0], [mpi_free_mem_ mpi_free_mem__], [a0 a1])
            (212, MPI_Gather, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_gather_ mpi_gather__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (213, MPI_Gather_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (214, MPI_Gather_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_gather_init_ mpi_gather_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (215, MPI_Gather_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [])
            (216, MPI_Gatherv, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_gatherv_ mpi_gatherv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (217, MPI_Gatherv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (218, MPI_Gatherv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_gatherv_init_ mpi_gatherv_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (219, MPI_Gatherv_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [], [])
            (220, MPI_Get, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_get_ mpi_get__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (221, MPI_Get_accumulate, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [mpi_get_accumulate_ mpi_get_accumulate__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12])
            (222, MPI_Get_accumulate_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [], [])
            (223, MPI_Get_address, [a0 a1], [mpi_get_address_ mpi_get_address__], [a0 a1 a2])
            (224, MPI_Get_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (225, MPI_Get_count, [a0 a1 a2], [mpi_get_count_ mpi_get_count__], [a0 a1 a2 a3])
            (226, MPI_Get_count_c, [a0 a1 a2], [], [])
            (227, MPI_Get_elements, [a0 a1 a2], [mpi_get_elements_ mpi_get_elements__], [a0 a1 a2 a3])
            (228, MPI_Get_elements_c, [a0 a1 a2], [], [])
            (229, MPI_Get_elements_x, [a0 a1 a2], [mpi_get_elements_x_ mpi_get_elements_x__], [a0 a1 a2 a3])
            (230, MPI_Get_hw_resource_info, [a0], [mpi_get_hw_resource_info_ mpi_get_hw_resource_info__], [a0 a1])
            (231, MPI_Get_processor_name, [a0 a1], [mpi_get_processor_name_ mpi_get_processor_name__], [a0 a1 a2 a3])
            (232, MPI_Graph_create, [a0 a1 a2 a3 a4 a5], [mpi_graph_create_ mpi_graph_create__], [a0 a1 a2 a3 a4 a5 a6])
            (233, MPI_Graph_get, [a0 a1 a2 a3 a4], [mpi_graph_get_ mpi_graph_get__], [a0 a1 a2 a3 a4 a5])
            (234, MPI_Graph_map, [a0 a1 a2 a3 a4], [mpi_graph_map_ mpi_graph_map__], [a0 a1 a2 a3 a4 a5])
            (235, MPI_Graph_neighbors, [a0 a1 a2 a3], [mpi_graph_neighbors_ mpi_graph_neighbors__], [a0 a1 a2 a3 a4])
            (236, MPI_Graph_neighbors_count, [a0 a1 a2], [mpi_graph_neighbors_count_ mpi_graph_neighbors_count__], [a0 a1 a2 a3])
            (237, MPI_Graphdims_get, [a0 a1 a2], [mpi_graphdims_get_ mpi_graphdims_get__], [a0 a1 a2 a3])
            (238, MPI_Grequest_complete, [a0], [mpi_grequest_complete_ mpi_grequest_complete__], [a0 a1])
            (239, MPI_Grequest_start, [a0 a1 a2 a3 a4], [mpi_grequest_start_ mpi_grequest_start__], [a0 a1 a2 a3 a4 a5])
            (240, MPI_Group_compare, [a0 a1 a2], [mpi_group_compare_ mpi_group_compare__], [a0 a1 a2 a3])
            (241, MPI_Group_difference, [a0 a1 a2], [mpi_group_difference_ mpi_group_difference__], [a0 a1 a2 a3])
            (242, MPI_Group_excl, [a0 a1 a2 a3], [mpi_group_excl_ mpi_group_excl__], [a0 a1 a2 a3 a4])
            (243, MPI_Group_free, [a0], [mpi_group_free_ mpi_group_free__], [a0 a1])
            (244, MPI_Group_from_session_pset, [a0 a1 a2], [mpi_group_from_session_pset_ mpi_group_from_session_pset__], [a0 a1 a2 a3 a4])
            (245, MPI_Group_incl, [a0 a1 a2 a3], [mpi_group_incl_ mpi_group_incl__], [a0 a1 a2 a3 a4])
            (246, MPI_Group_intersection, [a0 a1 a2], [mpi_group_intersection_ mpi_group_intersection__], [a0 a1 a2 a3])
            (247, MPI_Group_range_excl, [a0 a1 a2 a3], [mpi_group_range_excl_ mpi_group_range_excl__], [a0 a1 a2 a3 a4])
            (248, MPI_Group_range_incl, [a0 a1 a2 a3], [mpi_group_range_incl_ mpi_group_range_incl__], [a0 a1 a2 a3 a4])
            (249, MPI_Group_rank, [a0 a1], [mpi_group_rank_ mpi_group_rank__], [a0 a1 a2])
            (250, MPI_Group_size, [a0 a1], [mpi_group_size_ mpi_group_size__], [a0 a1 a2])
            (251, MPI_Group_translate_ranks, [a0 a1 a2 a3 a4], [mpi_group_translate_ranks_ mpi_group_translate_ranks__], [a0 a1 a2 a3 a4 a5])
            (252, MPI_Group_union, [a0 a1 a2], [mpi_group_union_ mpi_group_union__], [a0 a1 a2 a3])
            (253, MPI_Iallgather, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_iallgather_ mpi_iallgather__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (254, MPI_Iallgather_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (255, MPI_Iallgatherv, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_iallgatherv_ mpi_iallgatherv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (256, MPI_Iallgatherv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (257, MPI_Iallreduce, [a0 a1 a2 a3 a4 a5 a6], [mpi_iallreduce_ mpi_iallreduce__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (258, MPI_Iallreduce_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (259, MPI_Ialltoall, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_ialltoall_ mpi_ialltoall__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (260, MPI_Ialltoall_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (261, MPI_Ialltoallv, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_ialltoallv_ mpi_ialltoallv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (262, MPI_Ialltoallv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [])
            (263, MPI_Ialltoallw, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_ialltoallw_ mpi_ialltoallw__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (264, MPI_Ialltoallw_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [])
            (265, MPI_Ibarrier, [a0 a1], [mpi_ibarrier_ mpi_ibarrier__], [a0 a1 a2])
            (266, MPI_Ibcast, [a0 a1 a2 a3 a4 a5], [mpi_ibcast_ mpi_ibcast__], [a0 a1 a2 a3 a4 a5 a6])
            (267, MPI_Ibcast_c, [a0 a1 a2 a3 a4 a5], [], [])
            (268, MPI_Ibsend, [a0 a1 a2 a3 a4 a5 a6], [mpi_ibsend_ mpi_ibsend__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (269, MPI_Ibsend_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (270, MPI_Iexscan, [a0 a1 a2 a3 a4 a5 a6], [mpi_iexscan_ mpi_iexscan__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (271, MPI_Iexscan_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (272, MPI_Igather, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_igather_ mpi_igather__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (273, MPI_Igather_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (274, MPI_Igatherv, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_igatherv_ mpi_igatherv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (275, MPI_Igatherv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [])
            (276, MPI_Improbe, [a0 a1 a2 a3 a4 a5], [mpi_improbe_ mpi_improbe__], [a0 a1 a2 a3 a4 a5 a6])
            (277, MPI_Imrecv, [a0 a1 a2 a3 a4], [mpi_imrecv_ mpi_imrecv__], [a0 a1 a2 a3 a4 a5])
            (278, MPI_Imrecv_c, [a0 a1 a2 a3 a4], [], [])
            (279, MPI_Ineighbor_allgather, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_ineighbor_allgather_ mpi_ineighbor_allgather__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (280, MPI_Ineighbor_allgather_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (281, MPI_Ineighbor_allgatherv, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_ineighbor_allgatherv_ mpi_ineighbor_allgatherv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (282, MPI_Ineighbor_allgatherv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (283, MPI_Ineighbor_alltoall, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_ineighbor_alltoall_ mpi_ineighbor_alltoall__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (284, MPI_Ineighbor_alltoall_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (285, MPI_Ineighbor_alltoallv, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_ineighbor_alltoallv_ mpi_ineighbor_alltoallv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (286, MPI_Ineighbor_alltoallv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [])
            (287, MPI_Ineighbor_alltoallw, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_ineighbor_alltoallw_ mpi_ineighbor_alltoallw__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (288, MPI_Ineighbor_alltoallw_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [])
            (289, MPI_Info_create, [a0], [mpi_info_create_ mpi_info_create__], [a0 a1])
            (290, MPI_Info_create_env, [a0 a1 a2], [mpi_info_create_env_ mpi_info_create_env__], [a0 a1])
            (291, MPI_Info_delete, [a0 a1], [mpi_info_delete_ mpi_info_delete__], [a0 a1 a2 a3])
            (292, MPI_Info_dup, [a0 a1], [mpi_info_dup_ mpi_info_dup__], [a0 a1 a2])
            (293, MPI_Info_free, [a0], [mpi_info_free_ mpi_info_free__], [a0 a1])
            (294, MPI_Info_get, [a0 a1 a2 a3 a4], [mpi_info_get_ mpi_info_get__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (295, MPI_Info_get_nkeys, [a0 a1], [mpi_info_get_nkeys_ mpi_info_get_nkeys__], [a0 a1 a2])
            (296, MPI_Info_get_nthkey, [a0 a1 a2], [mpi_info_get_nthkey_ mpi_info_get_nthkey__], [a0 a1 a2 a3 a4])
            (297, MPI_Info_get_string, [a0 a1 a2 a3 a4], [mpi_info_get_string_ mpi_info_get_string__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (298, MPI_Info_get_valuelen, [a0 a1 a2 a3], [mpi_info_get_valuelen_ mpi_info_get_valuelen__], [a0 a1 a2 a3 a4 a5])
            (299, MPI_Info_set, [a0 a1 a2], [mpi_info_set_ mpi_info_set__], [a0 a1 a2 a3 a4 a5])
            (300, MPI_Init, [a0 a1], [mpi_init_ mpi_init__], [a0])
            (301, MPI_Init_thread, [a0 a1 a2 a3], [mpi_init_thread_ mpi_init_thread__], [a0 a1 a2])
            (302, MPI_Initialized, [a0], [mpi_initialized_ mpi_initialized__], [a0 a1])
            (303, MPI_Intercomm_create, [a0 a1 a2 a3 a4 a5], [mpi_intercomm_create_ mpi_intercomm_create__], [a0 a1 a2 a3 a4 a5 a6])
            (304, MPI_Intercomm_create_from_groups, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_intercomm_create_from_groups_ mpi_intercomm_create_from_groups__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (305, MPI_Intercomm_merge, [a0 a1 a2], [mpi_intercomm_merge_ mpi_intercomm_merge__], [a0 a1 a2 a3])
            (306, MPI_Iprobe, [a0 a1 a2 a3 a4], [mpi_iprobe_ mpi_iprobe__], [a0 a1 a2 a3 a4 a5])
            (307, MPI_Irecv, [a0 a1 a2 a3 a4 a5 a6], [mpi_irecv_ mpi_irecv__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (308, MPI_Irecv_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (309, MPI_Ireduce, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_ireduce_ mpi_ireduce__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (310, MPI_Ireduce_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (311, MPI_Ireduce_scatter, [a0 a1 a2 a3 a4 a5 a6], [mpi_ireduce_scatter_ mpi_ireduce_scatter__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (312, MPI_Ireduce_scatter_block, [a0 a1 a2 a3 a4 a5 a6], [mpi_ireduce_scatter_block_ mpi_ireduce_scatter_block__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (313, MPI_Ireduce_scatter_block_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (314, MPI_Ireduce_scatter_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (315, MPI_Irsend, [a0 a1 a2 a3 a4 a5 a6], [mpi_irsend_ mpi_irsend__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (316, MPI_Irsend_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (317, MPI_Is_thread_main, [a0], [mpi_is_thread_main_ mpi_is_thread_main__], [a0 a1])
            (318, MPI_Iscan, [a0 a1 a2 a3 a4 a5 a6], [mpi_iscan_ mpi_iscan__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (319, MPI_Iscan_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (320, MPI_Iscatter, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_iscatter_ mpi_iscatter__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (321, MPI_Iscatter_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (322, MPI_Iscatterv, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_iscatterv_ mpi_iscatterv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (323, MPI_Iscatterv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [])
            (324, MPI_Isend, [a0 a1 a2 a3 a4 a5 a6], [mpi_isend_ mpi_isend__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (325, MPI_Isend_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (326, MPI_Isendrecv, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [mpi_isendrecv_ mpi_isendrecv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12])
            (327, MPI_Isendrecv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [], [])
            (328, MPI_Isendrecv_replace, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_isendrecv_replace_ mpi_isendrecv_replace__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (329, MPI_Isendrecv_replace_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (330, MPI_Issend, [a0 a1 a2 a3 a4 a5 a6], [mpi_issend_ mpi_issend__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (331, MPI_Issend_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (332, MPI_Keyval_create, [a0 a1 a2 a3], [mpi_keyval_create_ mpi_keyval_create__], [a0 a1 a2 a3 a4])
            (333, MPI_Keyval_free, [a0], [mpi_keyval_free_ mpi_keyval_free__], [a0 a1])
            (334, MPI_Lookup_name, [a0 a1 a2], [mpi_lookup_name_ mpi_lookup_name__], [a0 a1 a2 a3 a4 a5])
            (335, MPI_Mprobe, [a0 a1 a2 a3 a4], [mpi_mprobe_ mpi_mprobe__], [a0 a1 a2 a3 a4 a5])
            (336, MPI_Mrecv, [a0 a1 a2 a3 a4], [mpi_mrecv_ mpi_mrecv__], [a0 a1 a2 a3 a4 a5])
            (337, MPI_Mrecv_c, [a0 a1 a2 a3 a4], [], [])
            (338, MPI_Neighbor_allgather, [a0 a1 a2 a3 a4 a5 a6], [mpi_neighbor_allgather_ mpi_neighbor_allgather__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (339, MPI_Neighbor_allgather_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (340, MPI_Neighbor_allgather_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_neighbor_allgather_init_ mpi_neighbor_allgather_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (341, MPI_Neighbor_allgather_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (342, MPI_Neighbor_allgatherv, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_neighbor_allgatherv_ mpi_neighbor_allgatherv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (343, MPI_Neighbor_allgatherv_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (344, MPI_Neighbor_allgatherv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_neighbor_allgatherv_init_ mpi_neighbor_allgatherv_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (345, MPI_Neighbor_allgatherv_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [])
            (346, MPI_Neighbor_alltoall, [a0 a1 a2 a3 a4 a5 a6], [mpi_neighbor_alltoall_ mpi_neighbor_alltoall__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (347, MPI_Neighbor_alltoall_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (348, MPI_Neighbor_alltoall_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_neighbor_alltoall_init_ mpi_neighbor_alltoall_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (349, MPI_Neighbor_alltoall_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (350, MPI_Neighbor_alltoallv, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_neighbor_alltoallv_ mpi_neighbor_alltoallv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (351, MPI_Neighbor_alltoallv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (352, MPI_Neighbor_alltoallv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_neighbor_alltoallv_init_ mpi_neighbor_alltoallv_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (353, MPI_Neighbor_alltoallv_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [], [])
            (354, MPI_Neighbor_alltoallw, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_neighbor_alltoallw_ mpi_neighbor_alltoallw__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (355, MPI_Neighbor_alltoallw_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (356, MPI_Neighbor_alltoallw_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_neighbor_alltoallw_init_ mpi_neighbor_alltoallw_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (357, MPI_Neighbor_alltoallw_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [], [])
            (358, MPI_Op_commutative, [a0 a1], [mpi_op_commutative_ mpi_op_commutative__], [a0 a1 a2])
            (359, MPI_Op_create, [a0 a1 a2], [mpi_op_create_ mpi_op_create__], [a0 a1 a2 a3])
            (360, MPI_Op_create_c, [a0 a1 a2], [], [])
            (361, MPI_Op_free, [a0], [mpi_op_free_ mpi_op_free__], [a0 a1])
            (362, MPI_Open_port, [a0 a1], [mpi_open_port_ mpi_open_port__], [a0 a1 a2 a3])
            (363, MPI_Pack, [a0 a1 a2 a3 a4 a5 a6], [mpi_pack_ mpi_pack__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (364, MPI_Pack_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (365, MPI_Pack_external, [a0 a1 a2 a3 a4 a5 a6], [mpi_pack_external_ mpi_pack_external__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (366, MPI_Pack_external_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (367, MPI_Pack_external_size, [a0 a1 a2 a3], [mpi_pack_external_size_ mpi_pack_external_size__], [a0 a1 a2 a3 a4 a5])
            (368, MPI_Pack_external_size_c, [a0 a1 a2 a3], [], [])
            (369, MPI_Pack_size, [a0 a1 a2 a3], [mpi_pack_size_ mpi_pack_size__], [a0 a1 a2 a3 a4])
            (370, MPI_Pack_size_c, [a0 a1 a2 a3], [], [])
            (371, MPI_Parrived, [a0 a1 a2], [mpi_parrived_ mpi_parrived__], [a0 a1 a2 a3])
            (372, MPI_Pcontrol, [a0 a1], [mpi_pcontrol_ mpi_pcontrol__], [a0])
            (373, MPI_Pready, [a0 a1], [mpi_pready_ mpi_pready__], [a0 a1 a2])
            (374, MPI_Pready_list, [a0 a1 a2], [mpi_pready_list_ mpi_pready_list__], [a0 a1 a2 a3])
            (375, MPI_Pready_range, [a0 a1 a2], [mpi_pready_range_ mpi_pready_range__], [a0 a1 a2 a3])
            (376, MPI_Precv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_precv_init_ mpi_precv_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (377, MPI_Probe, [a0 a1 a2 a3], [mpi_probe_ mpi_probe__], [a0 a1 a2 a3 a4])
            (378, MPI_Psend_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_psend_init_ mpi_psend_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (379, MPI_Publish_name, [a0 a1 a2], [mpi_publish_name_ mpi_publish_name__], [a0 a1 a2 a3 a4 a5])
            (380, MPI_Put, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_put_ mpi_put__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (381, MPI_Put_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (382, MPI_Query_thread, [a0], [mpi_query_thread_ mpi_query_thread__], [a0 a1])
            (383, MPI_Raccumulate, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_raccumulate_ mpi_raccumulate__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (384, MPI_Raccumulate_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [])
            (385, MPI_Recv, [a0 a1 a2 a3 a4 a5 a6], [mpi_recv_ mpi_recv__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (386, MPI_Recv_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (387, MPI_Recv_init, [a0 a1 a2 a3 a4 a5 a6], [mpi_recv_init_ mpi_recv_init__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (388, MPI_Recv_init_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (389, MPI_Reduce, [a0 a1 a2 a3 a4 a5 a6], [mpi_reduce_ mpi_reduce__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (390, MPI_Reduce_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (391, MPI_Reduce_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_reduce_init_ mpi_reduce_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (392, MPI_Reduce_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (393, MPI_Reduce_local, [a0 a1 a2 a3 a4], [mpi_reduce_local_ mpi_reduce_local__], [a0 a1 a2 a3 a4 a5])
            (394, MPI_Reduce_local_c, [a0 a1 a2 a3 a4], [], [])
            (395, MPI_Reduce_scatter, [a0 a1 a2 a3 a4 a5], [mpi_reduce_scatter_ mpi_reduce_scatter__], [a0 a1 a2 a3 a4 a5 a6])
            (396, MPI_Reduce_scatter_block, [a0 a1 a2 a3 a4 a5], [mpi_reduce_scatter_block_ mpi_reduce_scatter_block__], [a0 a1 a2 a3 a4 a5 a6])
            (397, MPI_Reduce_scatter_block_c, [a0 a1 a2 a3 a4 a5], [], [])
            (398, MPI_Reduce_scatter_block_init, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_reduce_scatter_block_init_ mpi_reduce_scatter_block_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (399, MPI_Reduce_scatter_block_init_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (400, MPI_Reduce_scatter_c, [a0 a1 a2 a3 a4 a5], [], [])
            (401, MPI_Reduce_scatter_init, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_reduce_scatter_init_ mpi_reduce_scatter_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (402, MPI_Reduce_scatter_init_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (403, MPI_Register_datarep, [a0 a1 a2 a3 a4], [mpi_register_datarep_ mpi_register_datarep__], [a0 a1 a2 a3 a4 a5 a6])
            (404, MPI_Register_datarep_c, [a0 a1 a2 a3 a4], [], [])
            (405, MPI_Remove_error_class, [a0], [mpi_remove_error_class_ mpi_remove_error_class__], [a0 a1])
            (406, MPI_Remove_error_code, [a0], [mpi_remove_error_code_ mpi_remove_error_code__], [a0 a1])
            (407, MPI_Remove_error_string, [a0], [mpi_remove_error_string_ mpi_remove_error_string__], [a0 a1])
            (408, MPI_Request_free, [a0], [mpi_request_free_ mpi_request_free__], [a0 a1])
            (409, MPI_Request_get_status, [a0 a1 a2], [mpi_request_get_status_ mpi_request_get_status__], [a0 a1 a2 a3])
            (410, MPI_Request_get_status_all, [a0 a1 a2 a3], [mpi_request_get_status_all_ mpi_request_get_status_all__], [a0 a1 a2 a3 a4])
            (411, MPI_Request_get_status_any, [a0 a1 a2 a3 a4], [mpi_request_get_status_any_ mpi_request_get_status_any__], [a0 a1 a2 a3 a4 a5])
            (412, MPI_Request_get_status_some, [a0 a1 a2 a3 a4], [mpi_request_get_status_some_ mpi_request_get_status_some__], [a0 a1 a2 a3 a4 a5])
            (413, MPI_Rget, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_rget_ mpi_rget__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (414, MPI_Rget_accumulate, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12], [mpi_rget_accumulate_ mpi_rget_accumulate__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12 a13])
            (415, MPI_Rget_accumulate_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12], [], [])
            (416, MPI_Rget_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (417, MPI_Rput, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_rput_ mpi_rput__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (418, MPI_Rput_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (419, MPI_Rsend, [a0 a1 a2 a3 a4 a5], [mpi_rsend_ mpi_rsend__], [a0 a1 a2 a3 a4 a5 a6])
            (420, MPI_Rsend_c, [a0 a1 a2 a3 a4 a5], [], [])
            (421, MPI_Rsend_init, [a0 a1 a2 a3 a4 a5 a6], [mpi_rsend_init_ mpi_rsend_init__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (422, MPI_Rsend_init_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (423, MPI_Scan, [a0 a1 a2 a3 a4 a5], [mpi_scan_ mpi_scan__], [a0 a1 a2 a3 a4 a5 a6])
            (424, MPI_Scan_c, [a0 a1 a2 a3 a4 a5], [], [])
            (425, MPI_Scan_init, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_scan_init_ mpi_scan_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (426, MPI_Scan_init_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (427, MPI_Scatter, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_scatter_ mpi_scatter__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (428, MPI_Scatter_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [])
            (429, MPI_Scatter_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_scatter_init_ mpi_scatter_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (430, MPI_Scatter_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [])
            (431, MPI_Scatterv, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_scatterv_ mpi_scatterv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (432, MPI_Scatterv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (433, MPI_Scatterv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_scatterv_init_ mpi_scatterv_init__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (434, MPI_Scatterv_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [], [])
            (435, MPI_Send, [a0 a1 a2 a3 a4 a5], [mpi_send_ mpi_send__], [a0 a1 a2 a3 a4 a5 a6])
            (436, MPI_Send_c, [a0 a1 a2 a3 a4 a5], [], [])
            (437, MPI_Send_init, [a0 a1 a2 a3 a4 a5 a6], [mpi_send_init_ mpi_send_init__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (438, MPI_Send_init_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (439, MPI_Sendrecv, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [mpi_sendrecv_ mpi_sendrecv__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12])
            (440, MPI_Sendrecv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [], [])
            (441, MPI_Sendrecv_replace, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_sendrecv_replace_ mpi_sendrecv_replace__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (442, MPI_Sendrecv_replace_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (443, MPI_Session_attach_buffer, [a0 a1 a2], [mpi_session_attach_buffer_ mpi_session_attach_buffer__], [a0 a1 a2 a3])
            (444, MPI_Session_attach_buffer_c, [a0 a1 a2], [], [])
            (445, MPI_Session_call_errhandler, [a0 a1], [mpi_session_call_errhandler_ mpi_session_call_errhandler__], [a0 a1 a2])
            (446, MPI_Session_create_errhandler, [a0 a1], [mpi_session_create_errhandler_ mpi_session_create_errhandler__], [a0 a1 a2])
            (447, MPI_Session_detach_buffer, [a0 a1 a2], [mpi_session_detach_buffer_ mpi_session_detach_buffer__], [a0 a1 a2 a3])
            (448, MPI_Session_detach_buffer_c, [a0 a1 a2], [], [])
            (449, MPI_Session_finalize, [a0], [mpi_session_finalize_ mpi_session_finalize__], [a0 a1])
            (450, MPI_Session_flush_buffer, [a0], [mpi_session_flush_buffer_ mpi_session_flush_buffer__], [a0 a1])
            (451, MPI_Session_get_errhandler, [a0 a1], [mpi_session_get_errhandler_ mpi_session_get_errhandler__], [a0 a1 a2])
            (452, MPI_Session_get_info, [a0 a1], [mpi_session_get_info_ mpi_session_get_info__], [a0 a1 a2])
            (453, MPI_Session_get_nth_pset, [a0 a1 a2 a3 a4], [mpi_session_get_nth_pset_ mpi_session_get_nth_pset__], [a0 a1 a2 a3 a4 a5 a6])
            (454, MPI_Session_get_num_psets, [a0 a1 a2], [mpi_session_get_num_psets_ mpi_session_get_num_psets__], [a0 a1 a2 a3])
            (455, MPI_Session_get_pset_info, [a0 a1 a2], [mpi_session_get_pset_info_ mpi_session_get_pset_info__], [a0 a1 a2 a3 a4])
            (456, MPI_Session_iflush_buffer, [a0 a1], [mpi_session_iflush_buffer_ mpi_session_iflush_buffer__], [a0 a1 a2])
            (457, MPI_Session_init, [a0 a1 a2], [mpi_session_init_ mpi_session_init__], [a0 a1 a2 a3])
            (458, MPI_Session_set_errhandler, [a0 a1], [mpi_session_set_errhandler_ mpi_session_set_errhandler__], [a0 a1 a2])
            (459, MPI_Ssend, [a0 a1 a2 a3 a4 a5], [mpi_ssend_ mpi_ssend__], [a0 a1 a2 a3 a4 a5 a6])
            (460, MPI_Ssend_c, [a0 a1 a2 a3 a4 a5], [], [])
            (461, MPI_Ssend_init, [a0 a1 a2 a3 a4 a5 a6], [mpi_ssend_init_ mpi_ssend_init__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (462, MPI_Ssend_init_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (463, MPI_Start, [a0], [mpi_start_ mpi_start__], [a0 a1])
            (464, MPI_Startall, [a0 a1], [mpi_startall_ mpi_startall__], [a0 a1 a2])
            (465, MPI_Status_get_error, [a0 a1], [mpi_status_get_error_ mpi_status_get_error__], [a0 a1 a2])
            (466, MPI_Status_get_source, [a0 a1], [mpi_status_get_source_ mpi_status_get_source__], [a0 a1 a2])
            (467, MPI_Status_get_tag, [a0 a1], [mpi_status_get_tag_ mpi_status_get_tag__], [a0 a1 a2])
            (468, MPI_Status_set_cancelled, [a0 a1], [mpi_status_set_cancelled_ mpi_status_set_cancelled__], [a0 a1 a2])
            (469, MPI_Status_set_elements, [a0 a1 a2], [mpi_status_set_elements_ mpi_status_set_elements__], [a0 a1 a2 a3])
            (470, MPI_Status_set_elements_c, [a0 a1 a2], [], [])
            (471, MPI_Status_set_elements_x, [a0 a1 a2], [mpi_status_set_elements_x_ mpi_status_set_elements_x__], [a0 a1 a2 a3])
            (472, MPI_Status_set_error, [a0 a1], [mpi_status_set_error_ mpi_status_set_error__], [a0 a1 a2])
            (473, MPI_Status_set_source, [a0 a1], [mpi_status_set_source_ mpi_status_set_source__], [a0 a1 a2])
            (474, MPI_Status_set_tag, [a0 a1], [mpi_status_set_tag_ mpi_status_set_tag__], [a0 a1 a2])
            (475, MPI_Test, [a0 a1 a2], [mpi_test_ mpi_test__], [a0 a1 a2 a3])
            (476, MPI_Test_cancelled, [a0 a1], [mpi_test_cancelled_ mpi_test_cancelled__], [a0 a1 a2])
            (477, MPI_Testall, [a0 a1 a2 a3], [mpi_testall_ mpi_testall__], [a0 a1 a2 a3 a4])
            (478, MPI_Testany, [a0 a1 a2 a3 a4], [mpi_testany_ mpi_testany__], [a0 a1 a2 a3 a4 a5])
            (479, MPI_Testsome, [a0 a1 a2 a3 a4], [mpi_testsome_ mpi_testsome__], [a0 a1 a2 a3 a4 a5])
            (480, MPI_Topo_test, [a0 a1], [mpi_topo_test_ mpi_topo_test__], [a0 a1 a2])
            (481, MPI_Type_commit, [a0], [mpi_type_commit_ mpi_type_commit__], [a0 a1])
            (482, MPI_Type_contiguous, [a0 a1 a2], [mpi_type_contiguous_ mpi_type_contiguous__], [a0 a1 a2 a3])
            (483, MPI_Type_contiguous_c, [a0 a1 a2], [], [])
            (484, MPI_Type_create_darray, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_type_create_darray_ mpi_type_create_darray__], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (485, MPI_Type_create_darray_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [])
            (486, MPI_Type_create_f90_complex, [a0 a1 a2], [mpi_type_create_f90_complex_ mpi_type_create_f90_complex__], [a0 a1 a2 a3])
            (487, MPI_Type_create_f90_integer, [a0 a1], [mpi_type_create_f90_integer_ mpi_type_create_f90_integer__], [a0 a1 a2])
            (488, MPI_Type_create_f90_real, [a0 a1 a2], [mpi_type_create_f90_real_ mpi_type_create_f90_real__], [a0 a1 a2 a3])
            (489, MPI_Type_create_hindexed, [a0 a1 a2 a3 a4], [mpi_type_create_hindexed_ mpi_type_create_hindexed__], [a0 a1 a2 a3 a4 a5])
            (490, MPI_Type_create_hindexed_block, [a0 a1 a2 a3 a4], [mpi_type_create_hindexed_block_ mpi_type_create_hindexed_block__], [a0 a1 a2 a3 a4 a5])
            (491, MPI_Type_create_hindexed_block_c, [a0 a1 a2 a3 a4], [], [])
            (492, MPI_Type_create_hindexed_c, [a0 a1 a2 a3 a4], [], [])
            (493, MPI_Type_create_hvector, [a0 a1 a2 a3 a4], [mpi_type_create_hvector_ mpi_type_create_hvector__], [a0 a1 a2 a3 a4 a5])
            (494, MPI_Type_create_hvector_c, [a0 a1 a2 a3 a4], [], [])
            (495, MPI_Type_create_indexed_block, [a0 a1 a2 a3 a4], [mpi_type_create_indexed_block_ mpi_type_create_indexed_block__], [a0 a1 a2 a3 a4 a5])
            (496, MPI_Type_create_indexed_block_c, [a0 a1 a2 a3 a4], [], [])
            (497, MPI_Type_create_keyval, [a0 a1 a2 a3], [mpi_type_create_keyval_ mpi_type_create_keyval__], [a0 a1 a2 a3 a4])
            (498, MPI_Type_create_resized, [a0 a1 a2 a3], [mpi_type_create_resized_ mpi_type_create_resized__], [a0 a1 a2 a3 a4])
            (499, MPI_Type_create_resized_c, [a0 a1 a2 a3], [], [])
            (500, MPI_Type_create_struct, [a0 a1 a2 a3 a4], [mpi_type_create_struct_ mpi_type_create_struct__], [a0 a1 a2 a3 a4 a5])
            (501, MPI_Type_create_struct_c, [a0 a1 a2 a3 a4], [], [])
            (502, MPI_Type_create_subarray, [a0 a1 a2 a3 a4 a5 a6], [mpi_type_create_subarray_ mpi_type_create_subarray__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (503, MPI_Type_create_subarray_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (504, MPI_Type_delete_attr, [a0 a1], [mpi_type_delete_attr_ mpi_type_delete_attr__], [a0 a1 a2])
            (505, MPI_Type_dup, [a0 a1], [mpi_type_dup_ mpi_type_dup__], [a0 a1 a2])
            (506, MPI_Type_extent, [a0 a1], [mpi_type_extent_ mpi_type_extent__], [a0 a1 a2])
            (507, MPI_Type_free, [a0], [mpi_type_free_ mpi_type_free__], [a0 a1])
            (508, MPI_Type_free_keyval, [a0], [mpi_type_free_keyval_ mpi_type_free_keyval__], [a0 a1])
            (509, MPI_Type_get_attr, [a0 a1 a2 a3], [mpi_type_get_attr_ mpi_type_get_attr__], [a0 a1 a2 a3 a4])
            (510, MPI_Type_get_contents, [a0 a1 a2 a3 a4 a5 a6], [mpi_type_get_contents_ mpi_type_get_contents__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (511, MPI_Type_get_contents_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [])
            (512, MPI_Type_get_envelope, [a0 a1 a2 a3 a4], [mpi_type_get_envelope_ mpi_type_get_envelope__], [a0 a1 a2 a3 a4 a5])
            (513, MPI_Type_get_envelope_c, [a0 a1 a2 a3 a4 a5], [], [])
            (514, MPI_Type_get_extent, [a0 a1 a2], [mpi_type_get_extent_ mpi_type_get_extent__], [a0 a1 a2 a3])
            (515, MPI_Type_get_extent_c, [a0 a1 a2], [], [])
            (516, MPI_Type_get_extent_x, [a0 a1 a2], [mpi_type_get_extent_x_ mpi_type_get_extent_x__], [a0 a1 a2 a3])
            (517, MPI_Type_get_name, [a0 a1 a2], [mpi_type_get_name_ mpi_type_get_name__], [a0 a1 a2 a3 a4])
            (518, MPI_Type_get_true_extent, [a0 a1 a2], [mpi_type_get_true_extent_ mpi_type_get_true_extent__], [a0 a1 a2 a3])
            (519, MPI_Type_get_true_extent_c, [a0 a1 a2], [], [])
            (520, MPI_Type_get_true_extent_x, [a0 a1 a2], [mpi_type_get_true_extent_x_ mpi_type_get_true_extent_x__], [a0 a1 a2 a3])
            (521, MPI_Type_get_value_index, [a0 a1 a2], [mpi_type_get_value_index_ mpi_type_get_value_index__], [a0 a1 a2 a3])
            (522, MPI_Type_hindexed, [a0 a1 a2 a3 a4], [mpi_type_hindexed_ mpi_type_hindexed__], [a0 a1 a2 a3 a4 a5])
            (523, MPI_Type_hvector, [a0 a1 a2 a3 a4], [mpi_type_hvector_ mpi_type_hvector__], [a0 a1 a2 a3 a4 a5])
            (524, MPI_Type_indexed, [a0 a1 a2 a3 a4], [mpi_type_indexed_ mpi_type_indexed__], [a0 a1 a2 a3 a4 a5])
            (525, MPI_Type_indexed_c, [a0 a1 a2 a3 a4], [], [])
            (526, MPI_Type_lb, [a0 a1], [mpi_type_lb_ mpi_type_lb__], [a0 a1 a2])
            (527, MPI_Type_match_size, [a0 a1 a2], [mpi_type_match_size_ mpi_type_match_size__], [a0 a1 a2 a3])
            (528, MPI_Type_set_attr, [a0 a1 a2], [mpi_type_set_attr_ mpi_type_set_attr__], [a0 a1 a2 a3])
            (529, MPI_Type_set_name, [a0 a1], [mpi_type_set_name_ mpi_type_set_name__], [a0 a1 a2 a3])
            (530, MPI_Type_size, [a0 a1], [mpi_type_size_ mpi_type_size__], [a0 a1 a2])
            (531, MPI_Type_size_c, [a0 a1], [], [])
            (532, MPI_Type_size_x, [a0 a1], [mpi_type_size_x_ mpi_type_size_x__], [a0 a1 a2])
            (533, MPI_Type_struct, [a0 a1 a2 a3 a4], [mpi_type_struct_ mpi_type_struct__], [a0 a1 a2 a3 a4 a5])
            (534, MPI_Type_ub, [a0 a1], [mpi_type_ub_ mpi_type_ub__], [a0 a1 a2])
            (535, MPI_Type_vector, [a0 a1 a2 a3 a4], [mpi_type_vector_ mpi_type_vector__], [a0 a1 a2 a3 a4 a5])
            (536, MPI_Type_vector_c, [a0 a1 a2 a3 a4], [], [])
            (537, MPI_Unpack, [a0 a1 a2 a3 a4 a5 a6], [mpi_unpack_ mpi_unpack__], [a0 a1 a2 a3 a4 a5 a6 a7])
            (538, MPI_Unpack_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (539, MPI_Unpack_external, [a0 a1 a2 a3 a4 a5 a6], [mpi_unpack_external_ mpi_unpack_external__], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (540, MPI_Unpack_external_c, [a0 a1 a2 a3 a4 a5 a6], [], [])
            (541, MPI_Unpublish_name, [a0 a1 a2], [mpi_unpublish_name_ mpi_unpublish_name__], [a0 a1 a2 a3 a4 a5])
            (542, MPI_Wait, [a0 a1], [mpi_wait_ mpi_wait__], [a0 a1 a2])
            (543, MPI_Waitall, [a0 a1 a2], [mpi_waitall_ mpi_waitall__], [a0 a1 a2 a3])
            (544, MPI_Waitany, [a0 a1 a2 a3], [mpi_waitany_ mpi_waitany__], [a0 a1 a2 a3 a4])
            (545, MPI_Waitsome, [a0 a1 a2 a3 a4], [mpi_waitsome_ mpi_waitsome__], [a0 a1 a2 a3 a4 a5])
            (546, MPI_Win_allocate, [a0 a1 a2 a3 a4 a5], [mpi_win_allocate_ mpi_win_allocate__], [a0 a1 a2 a3 a4 a5 a6])
            (547, MPI_Win_allocate_c, [a0 a1 a2 a3 a4 a5], [], [])
            (548, MPI_Win_allocate_shared, [a0 a1 a2 a3 a4 a5], [mpi_win_allocate_shared_ mpi_win_allocate_shared__], [a0 a1 a2 a3 a4 a5 a6])
            (549, MPI_Win_allocate_shared_c, [a0 a1 a2 a3 a4 a5], [], [])
            (550, MPI_Win_attach, [a0 a1 a2], [mpi_win_attach_ mpi_win_attach__], [a0 a1 a2 a3])
            (551, MPI_Win_call_errhandler, [a0 a1], [mpi_win_call_errhandler_ mpi_win_call_errhandler__], [a0 a1 a2])
            (552, MPI_Win_complete, [a0], [mpi_win_complete_ mpi_win_complete__], [a0 a1])
            (553, MPI_Win_create, [a0 a1 a2 a3 a4 a5], [mpi_win_create_ mpi_win_create__], [a0 a1 a2 a3 a4 a5 a6])
            (554, MPI_Win_create_c, [a0 a1 a2 a3 a4 a5], [], [])
            (555, MPI_Win_create_dynamic, [a0 a1 a2], [mpi_win_create_dynamic_ mpi_win_create_dynamic__], [a0 a1 a2 a3])
            (556, MPI_Win_create_errhandler, [a0 a1], [mpi_win_create_errhandler_ mpi_win_create_errhandler__], [a0 a1 a2])
            (557, MPI_Win_create_keyval, [a0 a1 a2 a3], [mpi_win_create_keyval_ mpi_win_create_keyval__], [a0 a1 a2 a3 a4])
            (558, MPI_Win_delete_attr, [a0 a1], [mpi_win_delete_attr_ mpi_win_delete_attr__], [a0 a1 a2])
            (559, MPI_Win_detach, [a0 a1], [mpi_win_detach_ mpi_win_detach__], [a0 a1 a2])
            (560, MPI_Win_fence, [a0 a1], [mpi_win_fence_ mpi_win_fence__], [a0 a1 a2])
            (561, MPI_Win_flush, [a0 a1], [mpi_win_flush_ mpi_win_flush__], [a0 a1 a2])
            (562, MPI_Win_flush_all, [a0], [mpi_win_flush_all_ mpi_win_flush_all__], [a0 a1])
            (563, MPI_Win_flush_local, [a0 a1], [mpi_win_flush_local_ mpi_win_flush_local__], [a0 a1 a2])
            (564, MPI_Win_flush_local_all, [a0], [mpi_win_flush_local_all_ mpi_win_flush_local_all__], [a0 a1])
            (565, MPI_Win_free, [a0], [mpi_win_free_ mpi_win_free__], [a0 a1])
            (566, MPI_Win_free_keyval, [a0], [mpi_win_free_keyval_ mpi_win_free_keyval__], [a0 a1])
            (567, MPI_Win_get_attr, [a0 a1 a2 a3], [mpi_win_get_attr_ mpi_win_get_attr__], [a0 a1 a2 a3 a4])
            (568, MPI_Win_get_errhandler, [a0 a1], [mpi_win_get_errhandler_ mpi_win_get_errhandler__], [a0 a1 a2])
            (569, MPI_Win_get_group, [a0 a1], [mpi_win_get_group_ mpi_win_get_group__], [a0 a1 a2])
            (570, MPI_Win_get_info, [a0 a1], [mpi_win_get_info_ mpi_win_get_info__], [a0 a1 a2])
            (571, MPI_Win_get_name, [a0 a1 a2], [mpi_win_get_name_ mpi_win_get_name__], [a0 a1 a2 a3 a4])
            (572, MPI_Win_lock, [a0 a1 a2 a3], [mpi_win_lock_ mpi_win_lock__], [a0 a1 a2 a3 a4])
            (573, MPI_Win_lock_all, [a0 a1], [mpi_win_lock_all_ mpi_win_lock_all__], [a0 a1 a2])
            (574, MPI_Win_post, [a0 a1 a2], [mpi_win_post_ mpi_win_post__], [a0 a1 a2 a3])
            (575, MPI_Win_set_attr, [a0 a1 a2], [mpi_win_set_attr_ mpi_win_set_attr__], [a0 a1 a2 a3])
            (576, MPI_Win_set_errhandler, [a0 a1], [mpi_win_set_errhandler_ mpi_win_set_errhandler__], [a0 a1 a2])
            (577, MPI_Win_set_info, [a0 a1], [mpi_win_set_info_ mpi_win_set_info__], [a0 a1 a2])
            (578, MPI_Win_set_name, [a0 a1], [mpi_win_set_name_ mpi_win_set_name__], [a0 a1 a2 a3])
            (579, MPI_Win_shared_query, [a0 a1 a2 a3 a4], [mpi_win_shared_query_ mpi_win_shared_query__], [a0 a1 a2 a3 a4 a5])
            (580, MPI_Win_shared_query_c, [a0 a1 a2 a3 a4], [], [])
            (581, MPI_Win_start, [a0 a1 a2], [mpi_win_start_ mpi_win_start__], [a0 a1 a2 a3])
            (582, MPI_Win_sync, [a0], [mpi_win_sync_ mpi_win_sync__], [a0 a1])
            (583, MPI_Win_test, [a0 a1], [mpi_win_test_ mpi_win_test__], [a0 a1 a2])
            (584, MPI_Win_unlock, [a0 a1], [mpi_win_unlock_ mpi_win_unlock__], [a0 a1 a2])
            (585, MPI_Win_unlock_all, [a0], [mpi_win_unlock_all_ mpi_win_unlock_all__], [a0 a1])
            (586, MPI_Win_wait, [a0], [mpi_win_wait_ mpi_win_wait__], [a0 a1])
        }
    };
}
