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
/// A row is `(index, C name, PMPI's, [C arguments], [Fortran names], [Fortran arguments],
/// [names in mpi_f08], [those of bindings that call C], [arguments in mpi_f08])`, the
/// lists empty where `mpif.h` or `mpi_f08` has no such call. Fortran arguments include
/// `ierror` and one hidden length by value for each CHARACTER argument.
///
/// ```
/// macro_rules! count {
///     ($(($index:literal, $c:ident, $p:ident, $args:tt, $f:tt, $b:tt, $f08:tt, $binding:tt, $d:tt))*) => {
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
            (0, MPI_Abort, PMPI_Abort, [a0 a1], [mpi_abort_ mpi_abort__ mpi_abort MPI_ABORT pmpi_abort_], [a0 a1 a2], [mpi_abort_f08_], [], [a0 a1 a2])
            (1, MPI_Accumulate, PMPI_Accumulate, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_accumulate_ mpi_accumulate__ mpi_accumulate MPI_ACCUMULATE pmpi_accumulate_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_accumulate_f08_], [mpi_accumulate_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (2, MPI_Accumulate_c, PMPI_Accumulate_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_accumulate_c_f08_ mpi_accumulate_f08_large_ mpi_accumulate_c_f08ts_ mpi_accumulate_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (3, MPI_Add_error_class, PMPI_Add_error_class, [a0], [mpi_add_error_class_ mpi_add_error_class__ mpi_add_error_class MPI_ADD_ERROR_CLASS pmpi_add_error_class_], [a0 a1], [mpi_add_error_class_f08_], [], [a0 a1])
            (4, MPI_Add_error_code, PMPI_Add_error_code, [a0 a1], [mpi_add_error_code_ mpi_add_error_code__ mpi_add_error_code MPI_ADD_ERROR_CODE pmpi_add_error_code_], [a0 a1 a2], [mpi_add_error_code_f08_], [], [a0 a1 a2])
            (5, MPI_Add_error_string, PMPI_Add_error_string, [a0 a1], [mpi_add_error_string_ mpi_add_error_string__ mpi_add_error_string MPI_ADD_ERROR_STRING pmpi_add_error_string_], [a0 a1 a2 a3], [mpi_add_error_string_f08_], [], [a0 a1 a2 a3])
            (6, MPI_Address, PMPI_Address, [a0 a1], [mpi_address_ mpi_address__ mpi_address MPI_ADDRESS pmpi_address_], [a0 a1 a2], [], [], [])
            (7, MPI_Allgather, PMPI_Allgather, [a0 a1 a2 a3 a4 a5 a6], [mpi_allgather_ mpi_allgather__ mpi_allgather MPI_ALLGATHER pmpi_allgather_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_allgather_f08_], [mpi_allgather_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (8, MPI_Allgather_c, PMPI_Allgather_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_allgather_c_f08_ mpi_allgather_f08_large_ mpi_allgather_c_f08ts_ mpi_allgather_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (9, MPI_Allgather_init, PMPI_Allgather_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_allgather_init_ mpi_allgather_init__ mpi_allgather_init MPI_ALLGATHER_INIT pmpi_allgather_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_allgather_init_f08_], [mpi_allgather_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (10, MPI_Allgather_init_c, PMPI_Allgather_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_allgather_init_c_f08_ mpi_allgather_init_f08_large_ mpi_allgather_init_c_f08ts_ mpi_allgather_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (11, MPI_Allgatherv, PMPI_Allgatherv, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_allgatherv_ mpi_allgatherv__ mpi_allgatherv MPI_ALLGATHERV pmpi_allgatherv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_allgatherv_f08_], [mpi_allgatherv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (12, MPI_Allgatherv_c, PMPI_Allgatherv_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_allgatherv_c_f08_ mpi_allgatherv_f08_large_ mpi_allgatherv_c_f08ts_ mpi_allgatherv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (13, MPI_Allgatherv_init, PMPI_Allgatherv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_allgatherv_init_ mpi_allgatherv_init__ mpi_allgatherv_init MPI_ALLGATHERV_INIT pmpi_allgatherv_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_allgatherv_init_f08_], [mpi_allgatherv_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (14, MPI_Allgatherv_init_c, PMPI_Allgatherv_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [], [], [mpi_allgatherv_init_c_f08_ mpi_allgatherv_init_f08_large_ mpi_allgatherv_init_c_f08ts_ mpi_allgatherv_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (15, MPI_Alloc_mem, PMPI_Alloc_mem, [a0 a1 a2], [mpi_alloc_mem_ mpi_alloc_mem__ mpi_alloc_mem MPI_ALLOC_MEM pmpi_alloc_mem_], [a0 a1 a2 a3], [mpi_alloc_mem_f08_], [], [a0 a1 a2 a3])
            (16, MPI_Allreduce, PMPI_Allreduce, [a0 a1 a2 a3 a4 a5], [mpi_allreduce_ mpi_allreduce__ mpi_allreduce MPI_ALLREDUCE pmpi_allreduce_], [a0 a1 a2 a3 a4 a5 a6], [mpi_allreduce_f08_], [mpi_allreduce_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (17, MPI_Allreduce_c, PMPI_Allreduce_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_allreduce_c_f08_ mpi_allreduce_f08_large_ mpi_allreduce_c_f08ts_ mpi_allreduce_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (18, MPI_Allreduce_init, PMPI_Allreduce_init, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_allreduce_init_ mpi_allreduce_init__ mpi_allreduce_init MPI_ALLREDUCE_INIT pmpi_allreduce_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_allreduce_init_f08_], [mpi_allreduce_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (19, MPI_Allreduce_init_c, PMPI_Allreduce_init_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_allreduce_init_c_f08_ mpi_allreduce_init_f08_large_ mpi_allreduce_init_c_f08ts_ mpi_allreduce_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (20, MPI_Alltoall, PMPI_Alltoall, [a0 a1 a2 a3 a4 a5 a6], [mpi_alltoall_ mpi_alltoall__ mpi_alltoall MPI_ALLTOALL pmpi_alltoall_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_alltoall_f08_], [mpi_alltoall_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (21, MPI_Alltoall_c, PMPI_Alltoall_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_alltoall_c_f08_ mpi_alltoall_f08_large_ mpi_alltoall_c_f08ts_ mpi_alltoall_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (22, MPI_Alltoall_init, PMPI_Alltoall_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_alltoall_init_ mpi_alltoall_init__ mpi_alltoall_init MPI_ALLTOALL_INIT pmpi_alltoall_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_alltoall_init_f08_], [mpi_alltoall_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (23, MPI_Alltoall_init_c, PMPI_Alltoall_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_alltoall_init_c_f08_ mpi_alltoall_init_f08_large_ mpi_alltoall_init_c_f08ts_ mpi_alltoall_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (24, MPI_Alltoallv, PMPI_Alltoallv, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_alltoallv_ mpi_alltoallv__ mpi_alltoallv MPI_ALLTOALLV pmpi_alltoallv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_alltoallv_f08_], [mpi_alltoallv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (25, MPI_Alltoallv_c, PMPI_Alltoallv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_alltoallv_c_f08_ mpi_alltoallv_f08_large_ mpi_alltoallv_c_f08ts_ mpi_alltoallv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (26, MPI_Alltoallv_init, PMPI_Alltoallv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_alltoallv_init_ mpi_alltoallv_init__ mpi_alltoallv_init MPI_ALLTOALLV_INIT pmpi_alltoallv_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [mpi_alltoallv_init_f08_], [mpi_alltoallv_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (27, MPI_Alltoallv_init_c, PMPI_Alltoallv_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [], [], [], [mpi_alltoallv_init_c_f08_ mpi_alltoallv_init_f08_large_ mpi_alltoallv_init_c_f08ts_ mpi_alltoallv_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (28, MPI_Alltoallw, PMPI_Alltoallw, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_alltoallw_ mpi_alltoallw__ mpi_alltoallw MPI_ALLTOALLW pmpi_alltoallw_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_alltoallw_f08_], [mpi_alltoallw_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (29, MPI_Alltoallw_c, PMPI_Alltoallw_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_alltoallw_c_f08_ mpi_alltoallw_f08_large_ mpi_alltoallw_c_f08ts_ mpi_alltoallw_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (30, MPI_Alltoallw_init, PMPI_Alltoallw_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_alltoallw_init_ mpi_alltoallw_init__ mpi_alltoallw_init MPI_ALLTOALLW_INIT pmpi_alltoallw_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [mpi_alltoallw_init_f08_], [mpi_alltoallw_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (31, MPI_Alltoallw_init_c, PMPI_Alltoallw_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [], [], [], [mpi_alltoallw_init_c_f08_ mpi_alltoallw_init_f08_large_ mpi_alltoallw_init_c_f08ts_ mpi_alltoallw_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (32, MPI_Attr_delete, PMPI_Attr_delete, [a0 a1], [mpi_attr_delete_ mpi_attr_delete__ mpi_attr_delete MPI_ATTR_DELETE pmpi_attr_delete_], [a0 a1 a2], [], [], [])
            (33, MPI_Attr_get, PMPI_Attr_get, [a0 a1 a2 a3], [mpi_attr_get_ mpi_attr_get__ mpi_attr_get MPI_ATTR_GET pmpi_attr_get_], [a0 a1 a2 a3 a4], [], [], [])
            (34, MPI_Attr_put, PMPI_Attr_put, [a0 a1 a2], [mpi_attr_put_ mpi_attr_put__ mpi_attr_put MPI_ATTR_PUT pmpi_attr_put_], [a0 a1 a2 a3], [], [], [])
            (35, MPI_Barrier, PMPI_Barrier, [a0], [mpi_barrier_ mpi_barrier__ mpi_barrier MPI_BARRIER pmpi_barrier_], [a0 a1], [mpi_barrier_f08_], [], [a0 a1])
            (36, MPI_Barrier_init, PMPI_Barrier_init, [a0 a1 a2], [mpi_barrier_init_ mpi_barrier_init__ mpi_barrier_init MPI_BARRIER_INIT pmpi_barrier_init_], [a0 a1 a2 a3], [mpi_barrier_init_f08_], [], [a0 a1 a2 a3])
            (37, MPI_Bcast, PMPI_Bcast, [a0 a1 a2 a3 a4], [mpi_bcast_ mpi_bcast__ mpi_bcast MPI_BCAST pmpi_bcast_], [a0 a1 a2 a3 a4 a5], [mpi_bcast_f08_], [mpi_bcast_f08ts_], [a0 a1 a2 a3 a4 a5])
            (38, MPI_Bcast_c, PMPI_Bcast_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_bcast_c_f08_ mpi_bcast_f08_large_ mpi_bcast_c_f08ts_ mpi_bcast_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (39, MPI_Bcast_init, PMPI_Bcast_init, [a0 a1 a2 a3 a4 a5 a6], [mpi_bcast_init_ mpi_bcast_init__ mpi_bcast_init MPI_BCAST_INIT pmpi_bcast_init_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_bcast_init_f08_], [mpi_bcast_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (40, MPI_Bcast_init_c, PMPI_Bcast_init_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_bcast_init_c_f08_ mpi_bcast_init_f08_large_ mpi_bcast_init_c_f08ts_ mpi_bcast_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (41, MPI_Bsend, PMPI_Bsend, [a0 a1 a2 a3 a4 a5], [mpi_bsend_ mpi_bsend__ mpi_bsend MPI_BSEND pmpi_bsend_], [a0 a1 a2 a3 a4 a5 a6], [mpi_bsend_f08_], [mpi_bsend_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (42, MPI_Bsend_c, PMPI_Bsend_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_bsend_c_f08_ mpi_bsend_f08_large_ mpi_bsend_c_f08ts_ mpi_bsend_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (43, MPI_Bsend_init, PMPI_Bsend_init, [a0 a1 a2 a3 a4 a5 a6], [mpi_bsend_init_ mpi_bsend_init__ mpi_bsend_init MPI_BSEND_INIT pmpi_bsend_init_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_bsend_init_f08_], [mpi_bsend_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (44, MPI_Bsend_init_c, PMPI_Bsend_init_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_bsend_init_c_f08_ mpi_bsend_init_f08_large_ mpi_bsend_init_c_f08ts_ mpi_bsend_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (45, MPI_Buffer_attach, PMPI_Buffer_attach, [a0 a1], [mpi_buffer_attach_ mpi_buffer_attach__ mpi_buffer_attach MPI_BUFFER_ATTACH pmpi_buffer_attach_], [a0 a1 a2], [mpi_buffer_attach_f08_], [mpi_buffer_attach_f08ts_], [a0 a1 a2])
            (46, MPI_Buffer_attach_c, PMPI_Buffer_attach_c, [a0 a1], [], [], [], [mpi_buffer_attach_c_f08_ mpi_buffer_attach_f08_large_ mpi_buffer_attach_c_f08ts_ mpi_buffer_attach_f08ts_large_], [a0 a1 a2])
            (47, MPI_Buffer_detach, PMPI_Buffer_detach, [a0 a1], [mpi_buffer_detach_ mpi_buffer_detach__ mpi_buffer_detach MPI_BUFFER_DETACH pmpi_buffer_detach_], [a0 a1 a2], [mpi_buffer_detach_f08_], [], [a0 a1 a2])
            (48, MPI_Buffer_detach_c, PMPI_Buffer_detach_c, [a0 a1], [], [], [], [mpi_buffer_detach_c_f08_ mpi_buffer_detach_f08_large_], [a0 a1 a2])
            (49, MPI_Buffer_flush, PMPI_Buffer_flush, [], [mpi_buffer_flush_ mpi_buffer_flush__ mpi_buffer_flush MPI_BUFFER_FLUSH pmpi_buffer_flush_], [a0], [mpi_buffer_flush_f08_], [], [a0])
            (50, MPI_Buffer_iflush, PMPI_Buffer_iflush, [a0], [mpi_buffer_iflush_ mpi_buffer_iflush__ mpi_buffer_iflush MPI_BUFFER_IFLUSH pmpi_buffer_iflush_], [a0 a1], [mpi_buffer_iflush_f08_], [], [a0 a1])
            (51, MPI_Cancel, PMPI_Cancel, [a0], [mpi_cancel_ mpi_cancel__ mpi_cancel MPI_CANCEL pmpi_cancel_], [a0 a1], [mpi_cancel_f08_], [], [a0 a1])
            (52, MPI_Cart_coords, PMPI_Cart_coords, [a0 a1 a2 a3], [mpi_cart_coords_ mpi_cart_coords__ mpi_cart_coords MPI_CART_COORDS pmpi_cart_coords_], [a0 a1 a2 a3 a4], [mpi_cart_coords_f08_], [], [a0 a1 a2 a3 a4])
            (53, MPI_Cart_create, PMPI_Cart_create, [a0 a1 a2 a3 a4 a5], [mpi_cart_create_ mpi_cart_create__ mpi_cart_create MPI_CART_CREATE pmpi_cart_create_], [a0 a1 a2 a3 a4 a5 a6], [mpi_cart_create_f08_], [], [a0 a1 a2 a3 a4 a5 a6])
            (54, MPI_Cart_get, PMPI_Cart_get, [a0 a1 a2 a3 a4], [mpi_cart_get_ mpi_cart_get__ mpi_cart_get MPI_CART_GET pmpi_cart_get_], [a0 a1 a2 a3 a4 a5], [mpi_cart_get_f08_], [], [a0 a1 a2 a3 a4 a5])
            (55, MPI_Cart_map, PMPI_Cart_map, [a0 a1 a2 a3 a4], [mpi_cart_map_ mpi_cart_map__ mpi_cart_map MPI_CART_MAP pmpi_cart_map_], [a0 a1 a2 a3 a4 a5], [mpi_cart_map_f08_], [], [a0 a1 a2 a3 a4 a5])
            (56, MPI_Cart_rank, PMPI_Cart_rank, [a0 a1 a2], [mpi_cart_rank_ mpi_cart_rank__ mpi_cart_rank MPI_CART_RANK pmpi_cart_rank_], [a0 a1 a2 a3], [mpi_cart_rank_f08_], [], [a0 a1 a2 a3])
            (57, MPI_Cart_shift, PMPI_Cart_shift, [a0 a1 a2 a3 a4], [mpi_cart_shift_ mpi_cart_shift__ mpi_cart_shift MPI_CART_SHIFT pmpi_cart_shift_], [a0 a1 a2 a3 a4 a5], [mpi_cart_shift_f08_], [], [a0 a1 a2 a3 a4 a5])
            (58, MPI_Cart_sub, PMPI_Cart_sub, [a0 a1 a2], [mpi_cart_sub_ mpi_cart_sub__ mpi_cart_sub MPI_CART_SUB pmpi_cart_sub_], [a0 a1 a2 a3], [mpi_cart_sub_f08_], [], [a0 a1 a2 a3])
            (59, MPI_Cartdim_get, PMPI_Cartdim_get, [a0 a1], [mpi_cartdim_get_ mpi_cartdim_get__ mpi_cartdim_get MPI_CARTDIM_GET pmpi_cartdim_get_], [a0 a1 a2], [mpi_cartdim_get_f08_], [], [a0 a1 a2])
            (60, MPI_Close_port, PMPI_Close_port, [a0], [mpi_close_port_ mpi_close_port__ mpi_close_port MPI_CLOSE_PORT pmpi_close_port_], [a0 a1 a2], [mpi_close_port_f08_], [], [a0 a1 a2])
            (61, MPI_Comm_accept, PMPI_Comm_accept, [a0 a1 a2 a3 a4], [mpi_comm_accept_ mpi_comm_accept__ mpi_comm_accept MPI_COMM_ACCEPT pmpi_comm_accept_], [a0 a1 a2 a3 a4 a5 a6], [mpi_comm_accept_f08_], [], [a0 a1 a2 a3 a4 a5 a6])
            (62, MPI_Comm_attach_buffer, PMPI_Comm_attach_buffer, [a0 a1 a2], [mpi_comm_attach_buffer_ mpi_comm_attach_buffer__ mpi_comm_attach_buffer MPI_COMM_ATTACH_BUFFER pmpi_comm_attach_buffer_], [a0 a1 a2 a3], [mpi_comm_attach_buffer_f08_], [mpi_comm_attach_buffer_f08ts_], [a0 a1 a2 a3])
            (63, MPI_Comm_attach_buffer_c, PMPI_Comm_attach_buffer_c, [a0 a1 a2], [], [], [], [mpi_comm_attach_buffer_c_f08_ mpi_comm_attach_buffer_f08_large_ mpi_comm_attach_buffer_c_f08ts_ mpi_comm_attach_buffer_f08ts_large_], [a0 a1 a2 a3])
            (64, MPI_Comm_call_errhandler, PMPI_Comm_call_errhandler, [a0 a1], [mpi_comm_call_errhandler_ mpi_comm_call_errhandler__ mpi_comm_call_errhandler MPI_COMM_CALL_ERRHANDLER pmpi_comm_call_errhandler_], [a0 a1 a2], [mpi_comm_call_errhandler_f08_], [], [a0 a1 a2])
            (65, MPI_Comm_compare, PMPI_Comm_compare, [a0 a1 a2], [mpi_comm_compare_ mpi_comm_compare__ mpi_comm_compare MPI_COMM_COMPARE pmpi_comm_compare_], [a0 a1 a2 a3], [mpi_comm_compare_f08_], [], [a0 a1 a2 a3])
            (66, MPI_Comm_connect, PMPI_Comm_connect, [a0 a1 a2 a3 a4], [mpi_comm_connect_ mpi_comm_connect__ mpi_comm_connect MPI_COMM_CONNECT pmpi_comm_connect_], [a0 a1 a2 a3 a4 a5 a6], [mpi_comm_connect_f08_], [], [a0 a1 a2 a3 a4 a5 a6])
            (67, MPI_Comm_create, PMPI_Comm_create, [a0 a1 a2], [mpi_comm_create_ mpi_comm_create__ mpi_comm_create MPI_COMM_CREATE pmpi_comm_create_], [a0 a1 a2 a3], [mpi_comm_create_f08_], [], [a0 a1 a2 a3])
            (68, MPI_Comm_create_errhandler, PMPI_Comm_create_errhandler, [a0 a1], [mpi_comm_create_errhandler_ mpi_comm_create_errhandler__ mpi_comm_create_errhandler MPI_COMM_CREATE_ERRHANDLER pmpi_comm_create_errhandler_], [a0 a1 a2], [mpi_comm_create_errhandler_f08_], [], [a0 a1 a2])
            (69, MPI_Comm_create_from_group, PMPI_Comm_create_from_group, [a0 a1 a2 a3 a4], [mpi_comm_create_from_group_ mpi_comm_create_from_group__ mpi_comm_create_from_group MPI_COMM_CREATE_FROM_GROUP pmpi_comm_create_from_group_], [a0 a1 a2 a3 a4 a5 a6], [mpi_comm_create_from_group_f08_], [], [a0 a1 a2 a3 a4 a5 a6])
            (70, MPI_Comm_create_group, PMPI_Comm_create_group, [a0 a1 a2 a3], [mpi_comm_create_group_ mpi_comm_create_group__ mpi_comm_create_group MPI_COMM_CREATE_GROUP pmpi_comm_create_group_], [a0 a1 a2 a3 a4], [mpi_comm_create_group_f08_], [], [a0 a1 a2 a3 a4])
            (71, MPI_Comm_create_keyval, PMPI_Comm_create_keyval, [a0 a1 a2 a3], [mpi_comm_create_keyval_ mpi_comm_create_keyval__ mpi_comm_create_keyval MPI_COMM_CREATE_KEYVAL pmpi_comm_create_keyval_], [a0 a1 a2 a3 a4], [mpi_comm_create_keyval_f08_], [], [a0 a1 a2 a3 a4])
            (72, MPI_Comm_delete_attr, PMPI_Comm_delete_attr, [a0 a1], [mpi_comm_delete_attr_ mpi_comm_delete_attr__ mpi_comm_delete_attr MPI_COMM_DELETE_ATTR pmpi_comm_delete_attr_], [a0 a1 a2], [mpi_comm_delete_attr_f08_], [], [a0 a1 a2])
            (73, MPI_Comm_detach_buffer, PMPI_Comm_detach_buffer, [a0 a1 a2], [mpi_comm_detach_buffer_ mpi_comm_detach_buffer__ mpi_comm_detach_buffer MPI_COMM_DETACH_BUFFER pmpi_comm_detach_buffer_], [a0 a1 a2 a3], [mpi_comm_detach_buffer_f08_], [], [a0 a1 a2 a3])
            (74, MPI_Comm_detach_buffer_c, PMPI_Comm_detach_buffer_c, [a0 a1 a2], [], [], [], [mpi_comm_detach_buffer_c_f08_ mpi_comm_detach_buffer_f08_large_], [a0 a1 a2 a3])
            (75, MPI_Comm_disconnect, PMPI_Comm_disconnect, [a0], [mpi_comm_disconnect_ mpi_comm_disconnect__ mpi_comm_disconnect MPI_COMM_DISCONNECT pmpi_comm_disconnect_], [a0 a1], [mpi_comm_disconnect_f08_], [], [a0 a1])
            (76, MPI_Comm_dup, PMPI_Comm_dup, [a0 a1], [mpi_comm_dup_ mpi_comm_dup__ mpi_comm_dup MPI_COMM_DUP pmpi_comm_dup_], [a0 a1 a2], [mpi_comm_dup_f08_], [], [a0 a1 a2])
            (77, MPI_Comm_dup_with_info, PMPI_Comm_dup_with_info, [a0 a1 a2], [mpi_comm_dup_with_info_ mpi_comm_dup_with_info__ mpi_comm_dup_with_info MPI_COMM_DUP_WITH_INFO pmpi_comm_dup_with_info_], [a0 a1 a2 a3], [mpi_comm_dup_with_info_f08_], [], [a0 a1 a2 a3])
            (78, MPI_Comm_flush_buffer, PMPI_Comm_flush_buffer, [a0], [mpi_comm_flush_buffer_ mpi_comm_flush_buffer__ mpi_comm_flush_buffer MPI_COMM_FLUSH_BUFFER pmpi_comm_flush_buffer_], [a0 a1], [mpi_comm_flush_buffer_f08_], [], [a0 a1])
            (79, MPI_Comm_free, PMPI_Comm_free, [a0], [mpi_comm_free_ mpi_comm_free__ mpi_comm_free MPI_COMM_FREE pmpi_comm_free_], [a0 a1], [mpi_comm_free_f08_], [], [a0 a1])
            (80, MPI_Comm_free_keyval, PMPI_Comm_free_keyval, [a0], [mpi_comm_free_keyval_ mpi_comm_free_keyval__ mpi_comm_free_keyval MPI_COMM_FREE_KEYVAL pmpi_comm_free_keyval_], [a0 a1], [mpi_comm_free_keyval_f08_], [], [a0 a1])
            (81, MPI_Comm_get_attr, PMPI_Comm_get_attr, [a0 a1 a2 a3], [mpi_comm_get_attr_ mpi_comm_get_attr__ mpi_comm_get_attr MPI_COMM_GET_ATTR pmpi_comm_get_attr_], [a0 a1 a2 a3 a4], [mpi_comm_get_attr_f08_], [], [a0 a1 a2 a3 a4])
            (82, MPI_Comm_get_errhandler, PMPI_Comm_get_errhandler, [a0 a1], [mpi_comm_get_errhandler_ mpi_comm_get_errhandler__ mpi_comm_get_errhandler MPI_COMM_GET_ERRHANDLER pmpi_comm_get_errhandler_], [a0 a1 a2], [mpi_comm_get_errhandler_f08_], [], [a0 a1 a2])
            (83, MPI_Comm_get_info, PMPI_Comm_get_info, [a0 a1], [mpi_comm_get_info_ mpi_comm_get_info__ mpi_comm_get_info MPI_COMM_GET_INFO pmpi_comm_get_info_], [a0 a1 a2], [mpi_comm_get_info_f08_], [], [a0 a1 a2])
            (84, MPI_Comm_get_name, PMPI_Comm_get_name, [a0 a1 a2], [mpi_comm_get_name_ mpi_comm_get_name__ mpi_comm_get_name MPI_COMM_GET_NAME pmpi_comm_get_name_], [a0 a1 a2 a3 a4], [mpi_comm_get_name_f08_], [], [a0 a1 a2 a3 a4])
            (85, MPI_Comm_get_parent, PMPI_Comm_get_parent, [a0], [mpi_comm_get_parent_ mpi_comm_get_parent__ mpi_comm_get_parent MPI_COMM_GET_PARENT pmpi_comm_get_parent_], [a0 a1], [mpi_comm_get_parent_f08_], [], [a0 a1])
            (86, MPI_Comm_group, PMPI_Comm_group, [a0 a1], [mpi_comm_group_ mpi_comm_group__ mpi_comm_group MPI_COMM_GROUP pmpi_comm_group_], [a0 a1 a2], [mpi_comm_group_f08_], [], [a0 a1 a2])
            (87, MPI_Comm_idup, PMPI_Comm_idup, [a0 a1 a2], [mpi_comm_idup_ mpi_comm_idup__ mpi_comm_idup MPI_COMM_IDUP pmpi_comm_idup_], [a0 a1 a2 a3], [mpi_comm_idup_f08_], [], [a0 a1 a2 a3])
            (88, MPI_Comm_idup_with_info, PMPI_Comm_idup_with_info, [a0 a1 a2 a3], [mpi_comm_idup_with_info_ mpi_comm_idup_with_info__ mpi_comm_idup_with_info MPI_COMM_IDUP_WITH_INFO pmpi_comm_idup_with_info_], [a0 a1 a2 a3 a4], [mpi_comm_idup_with_info_f08_], [], [a0 a1 a2 a3 a4])
            (89, MPI_Comm_iflush_buffer, PMPI_Comm_iflush_buffer, [a0 a1], [mpi_comm_iflush_buffer_ mpi_comm_iflush_buffer__ mpi_comm_iflush_buffer MPI_COMM_IFLUSH_BUFFER pmpi_comm_iflush_buffer_], [a0 a1 a2], [mpi_comm_iflush_buffer_f08_], [], [a0 a1 a2])
            (90, MPI_Comm_join, PMPI_Comm_join, [a0 a1], [mpi_comm_join_ mpi_comm_join__ mpi_comm_join MPI_COMM_JOIN pmpi_comm_join_], [a0 a1 a2], [mpi_comm_join_f08_], [], [a0 a1 a2])
            (91, MPI_Comm_rank, PMPI_Comm_rank, [a0 a1], [mpi_comm_rank_ mpi_comm_rank__ mpi_comm_rank MPI_COMM_RANK pmpi_comm_rank_], [a0 a1 a2], [mpi_comm_rank_f08_], [], [a0 a1 a2])
            (92, MPI_Comm_remote_group, PMPI_Comm_remote_group, [a0 a1], [mpi_comm_remote_group_ mpi_comm_remote_group__ mpi_comm_remote_group MPI_COMM_REMOTE_GROUP pmpi_comm_remote_group_], [a0 a1 a2], [mpi_comm_remote_group_f08_], [], [a0 a1 a2])
            (93, MPI_Comm_remote_size, PMPI_Comm_remote_size, [a0 a1], [mpi_comm_remote_size_ mpi_comm_remote_size__ mpi_comm_remote_size MPI_COMM_REMOTE_SIZE pmpi_comm_remote_size_], [a0 a1 a2], [mpi_comm_remote_size_f08_], [], [a0 a1 a2])
            (94, MPI_Comm_set_attr, PMPI_Comm_set_attr, [a0 a1 a2], [mpi_comm_set_attr_ mpi_comm_set_attr__ mpi_comm_set_attr MPI_COMM_SET_ATTR pmpi_comm_set_attr_], [a0 a1 a2 a3], [mpi_comm_set_attr_f08_], [], [a0 a1 a2 a3])
            (95, MPI_Comm_set_errhandler, PMPI_Comm_set_errhandler, [a0 a1], [mpi_comm_set_errhandler_ mpi_comm_set_errhandler__ mpi_comm_set_errhandler MPI_COMM_SET_ERRHANDLER pmpi_comm_set_errhandler_], [a0 a1 a2], [mpi_comm_set_errhandler_f08_], [], [a0 a1 a2])
            (96, MPI_Comm_set_info, PMPI_Comm_set_info, [a0 a1], [mpi_comm_set_info_ mpi_comm_set_info__ mpi_comm_set_info MPI_COMM_SET_INFO pmpi_comm_set_info_], [a0 a1 a2], [mpi_comm_set_info_f08_], [], [a0 a1 a2])
            (97, MPI_Comm_set_name, PMPI_Comm_set_name, [a0 a1], [mpi_comm_set_name_ mpi_comm_set_name__ mpi_comm_set_name MPI_COMM_SET_NAME pmpi_comm_set_name_], [a0 a1 a2 a3], [mpi_comm_set_name_f08_], [], [a0 a1 a2 a3])
            (98, MPI_Comm_size, PMPI_Comm_size, [a0 a1], [mpi_comm_size_ mpi_comm_size__ mpi_comm_size MPI_COMM_SIZE pmpi_comm_size_], [a0 a1 a2], [mpi_comm_size_f08_], [], [a0 a1 a2])
            (99, MPI_Comm_spawn, PMPI_Comm_spawn, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_comm_spawn_ mpi_comm_spawn__ mpi_comm_spawn MPI_COMM_SPAWN pmpi_comm_spawn_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_comm_spawn_f08_], [], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (100, MPI_Comm_spawn_multiple, PMPI_Comm_spawn_multiple, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_comm_spawn_multiple_ mpi_comm_spawn_multiple__ mpi_comm_spawn_multiple MPI_COMM_SPAWN_MULTIPLE pmpi_comm_spawn_multiple_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [mpi_comm_spawn_multiple_f08_], [], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (101, MPI_Comm_split, PMPI_Comm_split, [a0 a1 a2 a3], [mpi_comm_split_ mpi_comm_split__ mpi_comm_split MPI_COMM_SPLIT pmpi_comm_split_], [a0 a1 a2 a3 a4], [mpi_comm_split_f08_], [], [a0 a1 a2 a3 a4])
            (102, MPI_Comm_split_type, PMPI_Comm_split_type, [a0 a1 a2 a3 a4], [mpi_comm_split_type_ mpi_comm_split_type__ mpi_comm_split_type MPI_COMM_SPLIT_TYPE pmpi_comm_split_type_], [a0 a1 a2 a3 a4 a5], [mpi_comm_split_type_f08_], [], [a0 a1 a2 a3 a4 a5])
            (103, MPI_Comm_test_inter, PMPI_Comm_test_inter, [a0 a1], [mpi_comm_test_inter_ mpi_comm_test_inter__ mpi_comm_test_inter MPI_COMM_TEST_INTER pmpi_comm_test_inter_], [a0 a1 a2], [mpi_comm_test_inter_f08_], [], [a0 a1 a2])
            (104, MPI_Compare_and_swap, PMPI_Compare_and_swap, [a0 a1 a2 a3 a4 a5 a6], [mpi_compare_and_swap_ mpi_compare_and_swap__ mpi_compare_and_swap MPI_COMPARE_AND_SWAP pmpi_compare_and_swap_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_compare_and_swap_f08_], [mpi_compare_and_swap_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (105, MPI_Dims_create, PMPI_Dims_create, [a0 a1 a2], [mpi_dims_create_ mpi_dims_create__ mpi_dims_create MPI_DIMS_CREATE pmpi_dims_create_], [a0 a1 a2 a3], [mpi_dims_create_f08_], [], [a0 a1 a2 a3])
            (106, MPI_Dist_graph_create, PMPI_Dist_graph_create, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_dist_graph_create_ mpi_dist_graph_create__ mpi_dist_graph_create MPI_DIST_GRAPH_CREATE pmpi_dist_graph_create_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_dist_graph_create_f08_], [], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (107, MPI_Dist_graph_create_adjacent, PMPI_Dist_graph_create_adjacent, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_dist_graph_create_adjacent_ mpi_dist_graph_create_adjacent__ mpi_dist_graph_create_adjacent MPI_DIST_GRAPH_CREATE_ADJACENT pmpi_dist_graph_create_adjacent_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_dist_graph_create_adjacent_f08_], [], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (108, MPI_Dist_graph_neighbors, PMPI_Dist_graph_neighbors, [a0 a1 a2 a3 a4 a5 a6], [mpi_dist_graph_neighbors_ mpi_dist_graph_neighbors__ mpi_dist_graph_neighbors MPI_DIST_GRAPH_NEIGHBORS pmpi_dist_graph_neighbors_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_dist_graph_neighbors_f08_], [], [a0 a1 a2 a3 a4 a5 a6 a7])
            (109, MPI_Dist_graph_neighbors_count, PMPI_Dist_graph_neighbors_count, [a0 a1 a2 a3], [mpi_dist_graph_neighbors_count_ mpi_dist_graph_neighbors_count__ mpi_dist_graph_neighbors_count MPI_DIST_GRAPH_NEIGHBORS_COUNT pmpi_dist_graph_neighbors_count_], [a0 a1 a2 a3 a4], [mpi_dist_graph_neighbors_count_f08_], [], [a0 a1 a2 a3 a4])
            (110, MPI_Errhandler_create, PMPI_Errhandler_create, [a0 a1], [mpi_errhandler_create_ mpi_errhandler_create__ mpi_errhandler_create MPI_ERRHANDLER_CREATE pmpi_errhandler_create_], [a0 a1 a2], [], [], [])
            (111, MPI_Errhandler_free, PMPI_Errhandler_free, [a0], [mpi_errhandler_free_ mpi_errhandler_free__ mpi_errhandler_free MPI_ERRHANDLER_FREE pmpi_errhandler_free_], [a0 a1], [mpi_errhandler_free_f08_], [], [a0 a1])
            (112, MPI_Errhandler_get, PMPI_Errhandler_get, [a0 a1], [mpi_errhandler_get_ mpi_errhandler_get__ mpi_errhandler_get MPI_ERRHANDLER_GET pmpi_errhandler_get_], [a0 a1 a2], [], [], [])
            (113, MPI_Errhandler_set, PMPI_Errhandler_set, [a0 a1], [mpi_errhandler_set_ mpi_errhandler_set__ mpi_errhandler_set MPI_ERRHANDLER_SET pmpi_errhandler_set_], [a0 a1 a2], [], [], [])
            (114, MPI_Error_class, PMPI_Error_class, [a0 a1], [mpi_error_class_ mpi_error_class__ mpi_error_class MPI_ERROR_CLASS pmpi_error_class_], [a0 a1 a2], [mpi_error_class_f08_], [], [a0 a1 a2])
            (115, MPI_Error_string, PMPI_Error_string, [a0 a1 a2], [mpi_error_string_ mpi_error_string__ mpi_error_string MPI_ERROR_STRING pmpi_error_string_], [a0 a1 a2 a3 a4], [mpi_error_string_f08_], [], [a0 a1 a2 a3 a4])
            (116, MPI_Exscan, PMPI_Exscan, [a0 a1 a2 a3 a4 a5], [mpi_exscan_ mpi_exscan__ mpi_exscan MPI_EXSCAN pmpi_exscan_], [a0 a1 a2 a3 a4 a5 a6], [mpi_exscan_f08_], [mpi_exscan_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (117, MPI_Exscan_c, PMPI_Exscan_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_exscan_c_f08_ mpi_exscan_f08_large_ mpi_exscan_c_f08ts_ mpi_exscan_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (118, MPI_Exscan_init, PMPI_Exscan_init, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_exscan_init_ mpi_exscan_init__ mpi_exscan_init MPI_EXSCAN_INIT pmpi_exscan_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_exscan_init_f08_], [mpi_exscan_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (119, MPI_Exscan_init_c, PMPI_Exscan_init_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_exscan_init_c_f08_ mpi_exscan_init_f08_large_ mpi_exscan_init_c_f08ts_ mpi_exscan_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (120, MPI_Fetch_and_op, PMPI_Fetch_and_op, [a0 a1 a2 a3 a4 a5 a6], [mpi_fetch_and_op_ mpi_fetch_and_op__ mpi_fetch_and_op MPI_FETCH_AND_OP pmpi_fetch_and_op_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_fetch_and_op_f08_], [mpi_fetch_and_op_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (121, MPI_File_call_errhandler, PMPI_File_call_errhandler, [a0 a1], [mpi_file_call_errhandler_ mpi_file_call_errhandler__ mpi_file_call_errhandler MPI_FILE_CALL_ERRHANDLER pmpi_file_call_errhandler_], [a0 a1 a2], [mpi_file_call_errhandler_f08_], [], [a0 a1 a2])
            (122, MPI_File_close, PMPI_File_close, [a0], [mpi_file_close_ mpi_file_close__ mpi_file_close MPI_FILE_CLOSE pmpi_file_close_], [a0 a1], [mpi_file_close_f08_], [], [a0 a1])
            (123, MPI_File_create_errhandler, PMPI_File_create_errhandler, [a0 a1], [mpi_file_create_errhandler_ mpi_file_create_errhandler__ mpi_file_create_errhandler MPI_FILE_CREATE_ERRHANDLER pmpi_file_create_errhandler_], [a0 a1 a2], [mpi_file_create_errhandler_f08_], [], [a0 a1 a2])
            (124, MPI_File_delete, PMPI_File_delete, [a0 a1], [mpi_file_delete_ mpi_file_delete__ mpi_file_delete MPI_FILE_DELETE pmpi_file_delete_], [a0 a1 a2 a3], [mpi_file_delete_f08_], [], [a0 a1 a2 a3])
            (125, MPI_File_get_amode, PMPI_File_get_amode, [a0 a1], [mpi_file_get_amode_ mpi_file_get_amode__ mpi_file_get_amode MPI_FILE_GET_AMODE pmpi_file_get_amode_], [a0 a1 a2], [mpi_file_get_amode_f08_], [], [a0 a1 a2])
            (126, MPI_File_get_atomicity, PMPI_File_get_atomicity, [a0 a1], [mpi_file_get_atomicity_ mpi_file_get_atomicity__ mpi_file_get_atomicity MPI_FILE_GET_ATOMICITY pmpi_file_get_atomicity_], [a0 a1 a2], [mpi_file_get_atomicity_f08_], [], [a0 a1 a2])
            (127, MPI_File_get_byte_offset, PMPI_File_get_byte_offset, [a0 a1 a2], [mpi_file_get_byte_offset_ mpi_file_get_byte_offset__ mpi_file_get_byte_offset MPI_FILE_GET_BYTE_OFFSET pmpi_file_get_byte_offset_], [a0 a1 a2 a3], [mpi_file_get_byte_offset_f08_], [], [a0 a1 a2 a3])
            (128, MPI_File_get_errhandler, PMPI_File_get_errhandler, [a0 a1], [mpi_file_get_errhandler_ mpi_file_get_errhandler__ mpi_file_get_errhandler MPI_FILE_GET_ERRHANDLER pmpi_file_get_errhandler_], [a0 a1 a2], [mpi_file_get_errhandler_f08_], [], [a0 a1 a2])
            (129, MPI_File_get_group, PMPI_File_get_group, [a0 a1], [mpi_file_get_group_ mpi_file_get_group__ mpi_file_get_group MPI_FILE_GET_GROUP pmpi_file_get_group_], [a0 a1 a2], [mpi_file_get_group_f08_], [], [a0 a1 a2])
            (130, MPI_File_get_info, PMPI_File_get_info, [a0 a1], [mpi_file_get_info_ mpi_file_get_info__ mpi_file_get_info MPI_FILE_GET_INFO pmpi_file_get_info_], [a0 a1 a2], [mpi_file_get_info_f08_], [], [a0 a1 a2])
            (131, MPI_File_get_position, PMPI_File_get_position, [a0 a1], [mpi_file_get_position_ mpi_file_get_position__ mpi_file_get_position MPI_FILE_GET_POSITION pmpi_file_get_position_], [a0 a1 a2], [mpi_file_get_position_f08_], [], [a0 a1 a2])
            (132, MPI_File_get_position_shared, PMPI_File_get_position_shared, [a0 a1], [mpi_file_get_position_shared_ mpi_file_get_position_shared__ mpi_file_get_position_shared MPI_FILE_GET_POSITION_SHARED pmpi_file_get_position_shared_], [a0 a1 a2], [mpi_file_get_position_shared_f08_], [], [a0 a1 a2])
            (133, MPI_File_get_size, PMPI_File_get_size, [a0 a1], [mpi_file_get_size_ mpi_file_get_size__ mpi_file_get_size MPI_FILE_GET_SIZE pmpi_file_get_size_], [a0 a1 a2], [mpi_file_get_size_f08_], [], [a0 a1 a2])
            (134, MPI_File_get_type_extent, PMPI_File_get_type_extent, [a0 a1 a2], [mpi_file_get_type_extent_ mpi_file_get_type_extent__ mpi_file_get_type_extent MPI_FILE_GET_TYPE_EXTENT pmpi_file_get_type_extent_], [a0 a1 a2 a3], [mpi_file_get_type_extent_f08_], [], [a0 a1 a2 a3])
            (135, MPI_File_get_type_extent_c, PMPI_File_get_type_extent_c, [a0 a1 a2], [], [], [], [mpi_file_get_type_extent_c_f08_ mpi_file_get_type_extent_f08_large_], [a0 a1 a2 a3])
            (136, MPI_File_get_view, PMPI_File_get_view, [a0 a1 a2 a3 a4], [mpi_file_get_view_ mpi_file_get_view__ mpi_file_get_view MPI_FILE_GET_VIEW pmpi_file_get_view_], [a0 a1 a2 a3 a4 a5 a6], [mpi_file_get_view_f08_], [], [a0 a1 a2 a3 a4 a5 a6])
            (137, MPI_File_iread, PMPI_File_iread, [a0 a1 a2 a3 a4], [mpi_file_iread_ mpi_file_iread__ mpi_file_iread MPI_FILE_IREAD pmpi_file_iread_], [a0 a1 a2 a3 a4 a5], [mpi_file_iread_f08_], [mpi_file_iread_f08ts_], [a0 a1 a2 a3 a4 a5])
            (138, MPI_File_iread_all, PMPI_File_iread_all, [a0 a1 a2 a3 a4], [mpi_file_iread_all_ mpi_file_iread_all__ mpi_file_iread_all MPI_FILE_IREAD_ALL pmpi_file_iread_all_], [a0 a1 a2 a3 a4 a5], [mpi_file_iread_all_f08_], [mpi_file_iread_all_f08ts_], [a0 a1 a2 a3 a4 a5])
            (139, MPI_File_iread_all_c, PMPI_File_iread_all_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_iread_all_c_f08_ mpi_file_iread_all_f08_large_ mpi_file_iread_all_c_f08ts_ mpi_file_iread_all_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (140, MPI_File_iread_at, PMPI_File_iread_at, [a0 a1 a2 a3 a4 a5], [mpi_file_iread_at_ mpi_file_iread_at__ mpi_file_iread_at MPI_FILE_IREAD_AT pmpi_file_iread_at_], [a0 a1 a2 a3 a4 a5 a6], [mpi_file_iread_at_f08_], [mpi_file_iread_at_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (141, MPI_File_iread_at_all, PMPI_File_iread_at_all, [a0 a1 a2 a3 a4 a5], [mpi_file_iread_at_all_ mpi_file_iread_at_all__ mpi_file_iread_at_all MPI_FILE_IREAD_AT_ALL pmpi_file_iread_at_all_], [a0 a1 a2 a3 a4 a5 a6], [mpi_file_iread_at_all_f08_], [mpi_file_iread_at_all_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (142, MPI_File_iread_at_all_c, PMPI_File_iread_at_all_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_file_iread_at_all_c_f08_ mpi_file_iread_at_all_f08_large_ mpi_file_iread_at_all_c_f08ts_ mpi_file_iread_at_all_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (143, MPI_File_iread_at_c, PMPI_File_iread_at_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_file_iread_at_c_f08_ mpi_file_iread_at_f08_large_ mpi_file_iread_at_c_f08ts_ mpi_file_iread_at_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (144, MPI_File_iread_c, PMPI_File_iread_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_iread_c_f08_ mpi_file_iread_f08_large_ mpi_file_iread_c_f08ts_ mpi_file_iread_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (145, MPI_File_iread_shared, PMPI_File_iread_shared, [a0 a1 a2 a3 a4], [mpi_file_iread_shared_ mpi_file_iread_shared__ mpi_file_iread_shared MPI_FILE_IREAD_SHARED pmpi_file_iread_shared_], [a0 a1 a2 a3 a4 a5], [mpi_file_iread_shared_f08_], [mpi_file_iread_shared_f08ts_], [a0 a1 a2 a3 a4 a5])
            (146, MPI_File_iread_shared_c, PMPI_File_iread_shared_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_iread_shared_c_f08_ mpi_file_iread_shared_f08_large_ mpi_file_iread_shared_c_f08ts_ mpi_file_iread_shared_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (147, MPI_File_iwrite, PMPI_File_iwrite, [a0 a1 a2 a3 a4], [mpi_file_iwrite_ mpi_file_iwrite__ mpi_file_iwrite MPI_FILE_IWRITE pmpi_file_iwrite_], [a0 a1 a2 a3 a4 a5], [mpi_file_iwrite_f08_], [mpi_file_iwrite_f08ts_], [a0 a1 a2 a3 a4 a5])
            (148, MPI_File_iwrite_all, PMPI_File_iwrite_all, [a0 a1 a2 a3 a4], [mpi_file_iwrite_all_ mpi_file_iwrite_all__ mpi_file_iwrite_all MPI_FILE_IWRITE_ALL pmpi_file_iwrite_all_], [a0 a1 a2 a3 a4 a5], [mpi_file_iwrite_all_f08_], [mpi_file_iwrite_all_f08ts_], [a0 a1 a2 a3 a4 a5])
            (149, MPI_File_iwrite_all_c, PMPI_File_iwrite_all_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_iwrite_all_c_f08_ mpi_file_iwrite_all_f08_large_ mpi_file_iwrite_all_c_f08ts_ mpi_file_iwrite_all_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (150, MPI_File_iwrite_at, PMPI_File_iwrite_at, [a0 a1 a2 a3 a4 a5], [mpi_file_iwrite_at_ mpi_file_iwrite_at__ mpi_file_iwrite_at MPI_FILE_IWRITE_AT pmpi_file_iwrite_at_], [a0 a1 a2 a3 a4 a5 a6], [mpi_file_iwrite_at_f08_], [mpi_file_iwrite_at_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (151, MPI_File_iwrite_at_all, PMPI_File_iwrite_at_all, [a0 a1 a2 a3 a4 a5], [mpi_file_iwrite_at_all_ mpi_file_iwrite_at_all__ mpi_file_iwrite_at_all MPI_FILE_IWRITE_AT_ALL pmpi_file_iwrite_at_all_], [a0 a1 a2 a3 a4 a5 a6], [mpi_file_iwrite_at_all_f08_], [mpi_file_iwrite_at_all_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (152, MPI_File_iwrite_at_all_c, PMPI_File_iwrite_at_all_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_file_iwrite_at_all_c_f08_ mpi_file_iwrite_at_all_f08_large_ mpi_file_iwrite_at_all_c_f08ts_ mpi_file_iwrite_at_all_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (153, MPI_File_iwrite_at_c, PMPI_File_iwrite_at_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_file_iwrite_at_c_f08_ mpi_file_iwrite_at_f08_large_ mpi_file_iwrite_at_c_f08ts_ mpi_file_iwrite_at_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (154, MPI_File_iwrite_c, PMPI_File_iwrite_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_iwrite_c_f08_ mpi_file_iwrite_f08_large_ mpi_file_iwrite_c_f08ts_ mpi_file_iwrite_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (155, MPI_File_iwrite_shared, PMPI_File_iwrite_shared, [a0 a1 a2 a3 a4], [mpi_file_iwrite_shared_ mpi_file_iwrite_shared__ mpi_file_iwrite_shared MPI_FILE_IWRITE_SHARED pmpi_file_iwrite_shared_], [a0 a1 a2 a3 a4 a5], [mpi_file_iwrite_shared_f08_], [mpi_file_iwrite_shared_f08ts_], [a0 a1 a2 a3 a4 a5])
            (156, MPI_File_iwrite_shared_c, PMPI_File_iwrite_shared_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_iwrite_shared_c_f08_ mpi_file_iwrite_shared_f08_large_ mpi_file_iwrite_shared_c_f08ts_ mpi_file_iwrite_shared_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (157, MPI_File_open, PMPI_File_open, [a0 a1 a2 a3 a4], [mpi_file_open_ mpi_file_open__ mpi_file_open MPI_FILE_OPEN pmpi_file_open_], [a0 a1 a2 a3 a4 a5 a6], [mpi_file_open_f08_], [], [a0 a1 a2 a3 a4 a5 a6])
            (158, MPI_File_preallocate, PMPI_File_preallocate, [a0 a1], [mpi_file_preallocate_ mpi_file_preallocate__ mpi_file_preallocate MPI_FILE_PREALLOCATE pmpi_file_preallocate_], [a0 a1 a2], [mpi_file_preallocate_f08_], [], [a0 a1 a2])
            (159, MPI_File_read, PMPI_File_read, [a0 a1 a2 a3 a4], [mpi_file_read_ mpi_file_read__ mpi_file_read MPI_FILE_READ pmpi_file_read_], [a0 a1 a2 a3 a4 a5], [mpi_file_read_f08_], [mpi_file_read_f08ts_], [a0 a1 a2 a3 a4 a5])
            (160, MPI_File_read_all, PMPI_File_read_all, [a0 a1 a2 a3 a4], [mpi_file_read_all_ mpi_file_read_all__ mpi_file_read_all MPI_FILE_READ_ALL pmpi_file_read_all_], [a0 a1 a2 a3 a4 a5], [mpi_file_read_all_f08_], [mpi_file_read_all_f08ts_], [a0 a1 a2 a3 a4 a5])
            (161, MPI_File_read_all_begin, PMPI_File_read_all_begin, [a0 a1 a2 a3], [mpi_file_read_all_begin_ mpi_file_read_all_begin__ mpi_file_read_all_begin MPI_FILE_READ_ALL_BEGIN pmpi_file_read_all_begin_], [a0 a1 a2 a3 a4], [mpi_file_read_all_begin_f08_], [mpi_file_read_all_begin_f08ts_], [a0 a1 a2 a3 a4])
            (162, MPI_File_read_all_begin_c, PMPI_File_read_all_begin_c, [a0 a1 a2 a3], [], [], [], [mpi_file_read_all_begin_c_f08_ mpi_file_read_all_begin_f08_large_ mpi_file_read_all_begin_c_f08ts_ mpi_file_read_all_begin_f08ts_large_], [a0 a1 a2 a3 a4])
            (163, MPI_File_read_all_c, PMPI_File_read_all_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_read_all_c_f08_ mpi_file_read_all_f08_large_ mpi_file_read_all_c_f08ts_ mpi_file_read_all_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (164, MPI_File_read_all_end, PMPI_File_read_all_end, [a0 a1 a2], [mpi_file_read_all_end_ mpi_file_read_all_end__ mpi_file_read_all_end MPI_FILE_READ_ALL_END pmpi_file_read_all_end_], [a0 a1 a2 a3], [mpi_file_read_all_end_f08_], [mpi_file_read_all_end_f08ts_], [a0 a1 a2 a3])
            (165, MPI_File_read_at, PMPI_File_read_at, [a0 a1 a2 a3 a4 a5], [mpi_file_read_at_ mpi_file_read_at__ mpi_file_read_at MPI_FILE_READ_AT pmpi_file_read_at_], [a0 a1 a2 a3 a4 a5 a6], [mpi_file_read_at_f08_], [mpi_file_read_at_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (166, MPI_File_read_at_all, PMPI_File_read_at_all, [a0 a1 a2 a3 a4 a5], [mpi_file_read_at_all_ mpi_file_read_at_all__ mpi_file_read_at_all MPI_FILE_READ_AT_ALL pmpi_file_read_at_all_], [a0 a1 a2 a3 a4 a5 a6], [mpi_file_read_at_all_f08_], [mpi_file_read_at_all_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (167, MPI_File_read_at_all_begin, PMPI_File_read_at_all_begin, [a0 a1 a2 a3 a4], [mpi_file_read_at_all_begin_ mpi_file_read_at_all_begin__ mpi_file_read_at_all_begin MPI_FILE_READ_AT_ALL_BEGIN pmpi_file_read_at_all_begin_], [a0 a1 a2 a3 a4 a5], [mpi_file_read_at_all_begin_f08_], [mpi_file_read_at_all_begin_f08ts_], [a0 a1 a2 a3 a4 a5])
            (168, MPI_File_read_at_all_begin_c, PMPI_File_read_at_all_begin_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_read_at_all_begin_c_f08_ mpi_file_read_at_all_begin_f08_large_ mpi_file_read_at_all_begin_c_f08ts_ mpi_file_read_at_all_begin_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (169, MPI_File_read_at_all_c, PMPI_File_read_at_all_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_file_read_at_all_c_f08_ mpi_file_read_at_all_f08_large_ mpi_file_read_at_all_c_f08ts_ mpi_file_read_at_all_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (170, MPI_File_read_at_all_end, PMPI_File_read_at_all_end, [a0 a1 a2], [mpi_file_read_at_all_end_ mpi_file_read_at_all_end__ mpi_file_read_at_all_end MPI_FILE_READ_AT_ALL_END pmpi_file_read_at_all_end_], [a0 a1 a2 a3], [mpi_file_read_at_all_end_f08_], [mpi_file_read_at_all_end_f08ts_], [a0 a1 a2 a3])
            (171, MPI_File_read_at_c, PMPI_File_read_at_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_file_read_at_c_f08_ mpi_file_read_at_f08_large_ mpi_file_read_at_c_f08ts_ mpi_file_read_at_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (172, MPI_File_read_c, PMPI_File_read_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_read_c_f08_ mpi_file_read_f08_large_ mpi_file_read_c_f08ts_ mpi_file_read_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (173, MPI_File_read_ordered, PMPI_File_read_ordered, [a0 a1 a2 a3 a4], [mpi_file_read_ordered_ mpi_file_read_ordered__ mpi_file_read_ordered MPI_FILE_READ_ORDERED pmpi_file_read_ordered_], [a0 a1 a2 a3 a4 a5], [mpi_file_read_ordered_f08_], [mpi_file_read_ordered_f08ts_], [a0 a1 a2 a3 a4 a5])
            (174, MPI_File_read_ordered_begin, PMPI_File_read_ordered_begin, [a0 a1 a2 a3], [mpi_file_read_ordered_begin_ mpi_file_read_ordered_begin__ mpi_file_read_ordered_begin MPI_FILE_READ_ORDERED_BEGIN pmpi_file_read_ordered_begin_], [a0 a1 a2 a3 a4], [mpi_file_read_ordered_begin_f08_], [mpi_file_read_ordered_begin_f08ts_], [a0 a1 a2 a3 a4])
            (175, MPI_File_read_ordered_begin_c, PMPI_File_read_ordered_begin_c, [a0 a1 a2 a3], [], [], [], [mpi_file_read_ordered_begin_c_f08_ mpi_file_read_ordered_begin_f08_large_ mpi_file_read_ordered_begin_c_f08ts_ mpi_file_read_ordered_begin_f08ts_large_], [a0 a1 a2 a3 a4])
            (176, MPI_File_read_ordered_c, PMPI_File_read_ordered_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_read_ordered_c_f08_ mpi_file_read_ordered_f08_large_ mpi_file_read_ordered_c_f08ts_ mpi_file_read_ordered_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (177, MPI_File_read_ordered_end, PMPI_File_read_ordered_end, [a0 a1 a2], [mpi_file_read_ordered_end_ mpi_file_read_ordered_end__ mpi_file_read_ordered_end MPI_FILE_READ_ORDERED_END pmpi_file_read_ordered_end_], [a0 a1 a2 a3], [mpi_file_read_ordered_end_f08_], [mpi_file_read_ordered_end_f08ts_], [a0 a1 a2 a3])
            (178, MPI_File_read_shared, PMPI_File_read_shared, [a0 a1 a2 a3 a4], [mpi_file_read_shared_ mpi_file_read_shared__ mpi_file_read_shared MPI_FILE_READ_SHARED pmpi_file_read_shared_], [a0 a1 a2 a3 a4 a5], [mpi_file_read_shared_f08_], [mpi_file_read_shared_f08ts_], [a0 a1 a2 a3 a4 a5])
            (179, MPI_File_read_shared_c, PMPI_File_read_shared_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_read_shared_c_f08_ mpi_file_read_shared_f08_large_ mpi_file_read_shared_c_f08ts_ mpi_file_read_shared_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (180, MPI_File_seek, PMPI_File_seek, [a0 a1 a2], [mpi_file_seek_ mpi_file_seek__ mpi_file_seek MPI_FILE_SEEK pmpi_file_seek_], [a0 a1 a2 a3], [mpi_file_seek_f08_], [], [a0 a1 a2 a3])
            (181, MPI_File_seek_shared, PMPI_File_seek_shared, [a0 a1 a2], [mpi_file_seek_shared_ mpi_file_seek_shared__ mpi_file_seek_shared MPI_FILE_SEEK_SHARED pmpi_file_seek_shared_], [a0 a1 a2 a3], [mpi_file_seek_shared_f08_], [], [a0 a1 a2 a3])
            (182, MPI_File_set_atomicity, PMPI_File_set_atomicity, [a0 a1], [mpi_file_set_atomicity_ mpi_file_set_atomicity__ mpi_file_set_atomicity MPI_FILE_SET_ATOMICITY pmpi_file_set_atomicity_], [a0 a1 a2], [mpi_file_set_atomicity_f08_], [], [a0 a1 a2])
            (183, MPI_File_set_errhandler, PMPI_File_set_errhandler, [a0 a1], [mpi_file_set_errhandler_ mpi_file_set_errhandler__ mpi_file_set_errhandler MPI_FILE_SET_ERRHANDLER pmpi_file_set_errhandler_], [a0 a1 a2], [mpi_file_set_errhandler_f08_], [], [a0 a1 a2])
            (184, MPI_File_set_info, PMPI_File_set_info, [a0 a1], [mpi_file_set_info_ mpi_file_set_info__ mpi_file_set_info MPI_FILE_SET_INFO pmpi_file_set_info_], [a0 a1 a2], [mpi_file_set_info_f08_], [], [a0 a1 a2])
            (185, MPI_File_set_size, PMPI_File_set_size, [a0 a1], [mpi_file_set_size_ mpi_file_set_size__ mpi_file_set_size MPI_FILE_SET_SIZE pmpi_file_set_size_], [a0 a1 a2], [mpi_file_set_size_f08_], [], [a0 a1 a2])
            (186, MPI_File_set_view, PMPI_File_set_view, [a0 a1 a2 a3 a4 a5], [mpi_file_set_view_ mpi_file_set_view__ mpi_file_set_view MPI_FILE_SET_VIEW pmpi_file_set_view_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_file_set_view_f08_], [], [a0 a1 a2 a3 a4 a5 a6 a7])
            (187, MPI_File_sync, PMPI_File_sync, [a0], [mpi_file_sync_ mpi_file_sync__ mpi_file_sync MPI_FILE_SYNC pmpi_file_sync_], [a0 a1], [mpi_file_sync_f08_], [], [a0 a1])
            (188, MPI_File_write, PMPI_File_write, [a0 a1 a2 a3 a4], [mpi_file_write_ mpi_file_write__ mpi_file_write MPI_FILE_WRITE pmpi_file_write_], [a0 a1 a2 a3 a4 a5], [mpi_file_write_f08_], [mpi_file_write_f08ts_], [a0 a1 a2 a3 a4 a5])
            (189, MPI_File_write_all, PMPI_File_write_all, [a0 a1 a2 a3 a4], [mpi_file_write_all_ mpi_file_write_all__ mpi_file_write_all MPI_FILE_WRITE_ALL pmpi_file_write_all_], [a0 a1 a2 a3 a4 a5], [mpi_file_write_all_f08_], [mpi_file_write_all_f08ts_], [a0 a1 a2 a3 a4 a5])
            (190, MPI_File_write_all_begin, PMPI_File_write_all_begin, [a0 a1 a2 a3], [mpi_file_write_all_begin_ mpi_file_write_all_begin__ mpi_file_write_all_begin MPI_FILE_WRITE_ALL_BEGIN pmpi_file_write_all_begin_], [a0 a1 a2 a3 a4], [mpi_file_write_all_begin_f08_], [mpi_file_write_all_begin_f08ts_], [a0 a1 a2 a3 a4])
            (191, MPI_File_write_all_begin_c, PMPI_File_write_all_begin_c, [a0 a1 a2 a3], [], [], [], [mpi_file_write_all_begin_c_f08_ mpi_file_write_all_begin_f08_large_ mpi_file_write_all_begin_c_f08ts_ mpi_file_write_all_begin_f08ts_large_], [a0 a1 a2 a3 a4])
            (192, MPI_File_write_all_c, PMPI_File_write_all_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_write_all_c_f08_ mpi_file_write_all_f08_large_ mpi_file_write_all_c_f08ts_ mpi_file_write_all_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (193, MPI_File_write_all_end, PMPI_File_write_all_end, [a0 a1 a2], [mpi_file_write_all_end_ mpi_file_write_all_end__ mpi_file_write_all_end MPI_FILE_WRITE_ALL_END pmpi_file_write_all_end_], [a0 a1 a2 a3], [mpi_file_write_all_end_f08_], [mpi_file_write_all_end_f08ts_], [a0 a1 a2 a3])
            (194, MPI_File_write_at, PMPI_File_write_at, [a0 a1 a2 a3 a4 a5], [mpi_file_write_at_ mpi_file_write_at__ mpi_file_write_at MPI_FILE_WRITE_AT pmpi_file_write_at_], [a0 a1 a2 a3 a4 a5 a6], [mpi_file_write_at_f08_], [mpi_file_write_at_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (195, MPI_File_write_at_all, PMPI_File_write_at_all, [a0 a1 a2 a3 a4 a5], [mpi_file_write_at_all_ mpi_file_write_at_all__ mpi_file_write_at_all MPI_FILE_WRITE_AT_ALL pmpi_file_write_at_all_], [a0 a1 a2 a3 a4 a5 a6], [mpi_file_write_at_all_f08_], [mpi_file_write_at_all_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (196, MPI_File_write_at_all_begin, PMPI_File_write_at_all_begin, [a0 a1 a2 a3 a4], [mpi_file_write_at_all_begin_ mpi_file_write_at_all_begin__ mpi_file_write_at_all_begin MPI_FILE_WRITE_AT_ALL_BEGIN pmpi_file_write_at_all_begin_], [a0 a1 a2 a3 a4 a5], [mpi_file_write_at_all_begin_f08_], [mpi_file_write_at_all_begin_f08ts_], [a0 a1 a2 a3 a4 a5])
            (197, MPI_File_write_at_all_begin_c, PMPI_File_write_at_all_begin_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_write_at_all_begin_c_f08_ mpi_file_write_at_all_begin_f08_large_ mpi_file_write_at_all_begin_c_f08ts_ mpi_file_write_at_all_begin_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (198, MPI_File_write_at_all_c, PMPI_File_write_at_all_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_file_write_at_all_c_f08_ mpi_file_write_at_all_f08_large_ mpi_file_write_at_all_c_f08ts_ mpi_file_write_at_all_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (199, MPI_File_write_at_all_end, PMPI_File_write_at_all_end, [a0 a1 a2], [mpi_file_write_at_all_end_ mpi_file_write_at_all_end__ mpi_file_write_at_all_end MPI_FILE_WRITE_AT_ALL_END pmpi_file_write_at_all_end_], [a0 a1 a2 a3], [mpi_file_write_at_all_end_f08_], [mpi_file_write_at_all_end_f08ts_], [a0 a1 a2 a3])
            (200, MPI_File_write_at_c, PMPI_File_write_at_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_file_write_at_c_f08_ mpi_file_write_at_f08_large_ mpi_file_write_at_c_f08ts_ mpi_file_write_at_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (201, MPI_File_write_c, PMPI_File_write_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_write_c_f08_ mpi_file_write_f08_large_ mpi_file_write_c_f08ts_ mpi_file_write_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (202, MPI_File_write_ordered, PMPI_File_write_ordered, [a0 a1 a2 a3 a4], [mpi_file_write_ordered_ mpi_file_write_ordered__ mpi_file_write_ordered MPI_FILE_WRITE_ORDERED pmpi_file_write_ordered_], [a0 a1 a2 a3 a4 a5], [mpi_file_write_ordered_f08_], [mpi_file_write_ordered_f08ts_], [a0 a1 a2 a3 a4 a5])
            (203, MPI_File_write_ordered_begin, PMPI_File_write_ordered_begin, [a0 a1 a2 a3], [mpi_file_write_ordered_begin_ mpi_file_write_ordered_begin__ mpi_file_write_ordered_begin MPI_FILE_WRITE_ORDERED_BEGIN pmpi_file_write_ordered_begin_], [a0 a1 a2 a3 a4], [mpi_file_write_ordered_begin_f08_], [mpi_file_write_ordered_begin_f08ts_], [a0 a1 a2 a3 a4])
            (204, MPI_File_write_ordered_begin_c, PMPI_File_write_ordered_begin_c, [a0 a1 a2 a3], [], [], [], [mpi_file_write_ordered_begin_c_f08_ mpi_file_write_ordered_begin_f08_large_ mpi_file_write_ordered_begin_c_f08ts_ mpi_file_write_ordered_begin_f08ts_large_], [a0 a1 a2 a3 a4])
            (205, MPI_File_write_ordered_c, PMPI_File_write_ordered_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_write_ordered_c_f08_ mpi_file_write_ordered_f08_large_ mpi_file_write_ordered_c_f08ts_ mpi_file_write_ordered_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (206, MPI_File_write_ordered_end, PMPI_File_write_ordered_end, [a0 a1 a2], [mpi_file_write_ordered_end_ mpi_file_write_ordered_end__ mpi_file_write_ordered_end MPI_FILE_WRITE_ORDERED_END pmpi_file_write_ordered_end_], [a0 a1 a2 a3], [mpi_file_write_ordered_end_f08_], [mpi_file_write_ordered_end_f08ts_], [a0 a1 a2 a3])
            (207, MPI_File_write_shared, PMPI_File_write_shared, [a0 a1 a2 a3 a4], [mpi_file_write_shared_ mpi_file_write_shared__ mpi_file_write_shared MPI_FILE_WRITE_SHARED pmpi_file_write_shared_], [a0 a1 a2 a3 a4 a5], [mpi_file_write_shared_f08_], [mpi_file_write_shared_f08ts_], [a0 a1 a2 a3 a4 a5])
            (208, MPI_File_write_shared_c, PMPI_File_write_shared_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_file_write_shared_c_f08_ mpi_file_write_shared_f08_large_ mpi_file_write_shared_c_f08ts_ mpi_file_write_shared_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (209, MPI_Finalize, PMPI_Finalize, [], [mpi_finalize_ mpi_finalize__ mpi_finalize MPI_FINALIZE pmpi_finalize_], [a0], [mpi_finalize_f08_], [], [a0])
            (210, MPI_Finalized, PMPI_Finalized, [a0], [mpi_finalized_ mpi_finalized__ mpi_finalized MPI_FINALIZED pmpi_finalized_], [a0 a1], [mpi_finalized_f08_], [], [a0 a1])
            (211, MPI_Free_mem, PMPI_Free_mem, [a0], [mpi_free_mem_ mpi_free_mem__ mpi_free_mem MPI_FREE_MEM pmpi_free_mem_], [a0 a1], [mpi_free_mem_f08_], [mpi_free_mem_f08ts_], [a0 a1])
            (212, MPI_Gather, PMPI_Gather, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_gather_ mpi_gather__ mpi_gather MPI_GATHER pmpi_gather_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_gather_f08_], [mpi_gather_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (213, MPI_Gather_c, PMPI_Gather_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_gather_c_f08_ mpi_gather_f08_large_ mpi_gather_c_f08ts_ mpi_gather_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (214, MPI_Gather_init, PMPI_Gather_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_gather_init_ mpi_gather_init__ mpi_gather_init MPI_GATHER_INIT pmpi_gather_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_gather_init_f08_], [mpi_gather_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (215, MPI_Gather_init_c, PMPI_Gather_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [], [], [mpi_gather_init_c_f08_ mpi_gather_init_f08_large_ mpi_gather_init_c_f08ts_ mpi_gather_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (216, MPI_Gatherv, PMPI_Gatherv, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_gatherv_ mpi_gatherv__ mpi_gatherv MPI_GATHERV pmpi_gatherv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_gatherv_f08_], [mpi_gatherv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (217, MPI_Gatherv_c, PMPI_Gatherv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_gatherv_c_f08_ mpi_gatherv_f08_large_ mpi_gatherv_c_f08ts_ mpi_gatherv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (218, MPI_Gatherv_init, PMPI_Gatherv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_gatherv_init_ mpi_gatherv_init__ mpi_gatherv_init MPI_GATHERV_INIT pmpi_gatherv_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [mpi_gatherv_init_f08_], [mpi_gatherv_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (219, MPI_Gatherv_init_c, PMPI_Gatherv_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [], [], [], [mpi_gatherv_init_c_f08_ mpi_gatherv_init_f08_large_ mpi_gatherv_init_c_f08ts_ mpi_gatherv_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (220, MPI_Get, PMPI_Get, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_get_ mpi_get__ mpi_get MPI_GET pmpi_get_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_get_f08_], [mpi_get_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (221, MPI_Get_accumulate, PMPI_Get_accumulate, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [mpi_get_accumulate_ mpi_get_accumulate__ mpi_get_accumulate MPI_GET_ACCUMULATE pmpi_get_accumulate_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12], [mpi_get_accumulate_f08_], [mpi_get_accumulate_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12])
            (222, MPI_Get_accumulate_c, PMPI_Get_accumulate_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [], [], [], [mpi_get_accumulate_c_f08_ mpi_get_accumulate_f08_large_ mpi_get_accumulate_c_f08ts_ mpi_get_accumulate_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12])
            (223, MPI_Get_address, PMPI_Get_address, [a0 a1], [mpi_get_address_ mpi_get_address__ mpi_get_address MPI_GET_ADDRESS pmpi_get_address_], [a0 a1 a2], [mpi_get_address_f08_], [mpi_get_address_f08ts_], [a0 a1 a2])
            (224, MPI_Get_c, PMPI_Get_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_get_c_f08_ mpi_get_f08_large_ mpi_get_c_f08ts_ mpi_get_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (225, MPI_Get_count, PMPI_Get_count, [a0 a1 a2], [mpi_get_count_ mpi_get_count__ mpi_get_count MPI_GET_COUNT pmpi_get_count_], [a0 a1 a2 a3], [mpi_get_count_f08_], [], [a0 a1 a2 a3])
            (226, MPI_Get_count_c, PMPI_Get_count_c, [a0 a1 a2], [], [], [], [mpi_get_count_c_f08_ mpi_get_count_f08_large_], [a0 a1 a2 a3])
            (227, MPI_Get_elements, PMPI_Get_elements, [a0 a1 a2], [mpi_get_elements_ mpi_get_elements__ mpi_get_elements MPI_GET_ELEMENTS pmpi_get_elements_], [a0 a1 a2 a3], [mpi_get_elements_f08_], [], [a0 a1 a2 a3])
            (228, MPI_Get_elements_c, PMPI_Get_elements_c, [a0 a1 a2], [], [], [], [mpi_get_elements_c_f08_ mpi_get_elements_f08_large_], [a0 a1 a2 a3])
            (229, MPI_Get_elements_x, PMPI_Get_elements_x, [a0 a1 a2], [mpi_get_elements_x_ mpi_get_elements_x__ mpi_get_elements_x MPI_GET_ELEMENTS_X pmpi_get_elements_x_], [a0 a1 a2 a3], [mpi_get_elements_x_f08_], [], [a0 a1 a2 a3])
            (230, MPI_Get_hw_resource_info, PMPI_Get_hw_resource_info, [a0], [mpi_get_hw_resource_info_ mpi_get_hw_resource_info__ mpi_get_hw_resource_info MPI_GET_HW_RESOURCE_INFO pmpi_get_hw_resource_info_], [a0 a1], [mpi_get_hw_resource_info_f08_], [], [a0 a1])
            (231, MPI_Get_processor_name, PMPI_Get_processor_name, [a0 a1], [mpi_get_processor_name_ mpi_get_processor_name__ mpi_get_processor_name MPI_GET_PROCESSOR_NAME pmpi_get_processor_name_], [a0 a1 a2 a3], [mpi_get_processor_name_f08_], [], [a0 a1 a2 a3])
            (232, MPI_Graph_create, PMPI_Graph_create, [a0 a1 a2 a3 a4 a5], [mpi_graph_create_ mpi_graph_create__ mpi_graph_create MPI_GRAPH_CREATE pmpi_graph_create_], [a0 a1 a2 a3 a4 a5 a6], [mpi_graph_create_f08_], [], [a0 a1 a2 a3 a4 a5 a6])
            (233, MPI_Graph_get, PMPI_Graph_get, [a0 a1 a2 a3 a4], [mpi_graph_get_ mpi_graph_get__ mpi_graph_get MPI_GRAPH_GET pmpi_graph_get_], [a0 a1 a2 a3 a4 a5], [mpi_graph_get_f08_], [], [a0 a1 a2 a3 a4 a5])
            (234, MPI_Graph_map, PMPI_Graph_map, [a0 a1 a2 a3 a4], [mpi_graph_map_ mpi_graph_map__ mpi_graph_map MPI_GRAPH_MAP pmpi_graph_map_], [a0 a1 a2 a3 a4 a5], [mpi_graph_map_f08_], [], [a0 a1 a2 a3 a4 a5])
            (235, MPI_Graph_neighbors, PMPI_Graph_neighbors, [a0 a1 a2 a3], [mpi_graph_neighbors_ mpi_graph_neighbors__ mpi_graph_neighbors MPI_GRAPH_NEIGHBORS pmpi_graph_neighbors_], [a0 a1 a2 a3 a4], [mpi_graph_neighbors_f08_], [], [a0 a1 a2 a3 a4])
            (236, MPI_Graph_neighbors_count, PMPI_Graph_neighbors_count, [a0 a1 a2], [mpi_graph_neighbors_count_ mpi_graph_neighbors_count__ mpi_graph_neighbors_count MPI_GRAPH_NEIGHBORS_COUNT pmpi_graph_neighbors_count_], [a0 a1 a2 a3], [mpi_graph_neighbors_count_f08_], [], [a0 a1 a2 a3])
            (237, MPI_Graphdims_get, PMPI_Graphdims_get, [a0 a1 a2], [mpi_graphdims_get_ mpi_graphdims_get__ mpi_graphdims_get MPI_GRAPHDIMS_GET pmpi_graphdims_get_], [a0 a1 a2 a3], [mpi_graphdims_get_f08_], [], [a0 a1 a2 a3])
            (238, MPI_Grequest_complete, PMPI_Grequest_complete, [a0], [mpi_grequest_complete_ mpi_grequest_complete__ mpi_grequest_complete MPI_GREQUEST_COMPLETE pmpi_grequest_complete_], [a0 a1], [mpi_grequest_complete_f08_], [], [a0 a1])
            (239, MPI_Grequest_start, PMPI_Grequest_start, [a0 a1 a2 a3 a4], [mpi_grequest_start_ mpi_grequest_start__ mpi_grequest_start MPI_GREQUEST_START pmpi_grequest_start_], [a0 a1 a2 a3 a4 a5], [mpi_grequest_start_f08_], [], [a0 a1 a2 a3 a4 a5])
            (240, MPI_Group_compare, PMPI_Group_compare, [a0 a1 a2], [mpi_group_compare_ mpi_group_compare__ mpi_group_compare MPI_GROUP_COMPARE pmpi_group_compare_], [a0 a1 a2 a3], [mpi_group_compare_f08_], [], [a0 a1 a2 a3])
            (241, MPI_Group_difference, PMPI_Group_difference, [a0 a1 a2], [mpi_group_difference_ mpi_group_difference__ mpi_group_difference MPI_GROUP_DIFFERENCE pmpi_group_difference_], [a0 a1 a2 a3], [mpi_group_difference_f08_], [], [a0 a1 a2 a3])
            (242, MPI_Group_excl, PMPI_Group_excl, [a0 a1 a2 a3], [mpi_group_excl_ mpi_group_excl__ mpi_group_excl MPI_GROUP_EXCL pmpi_group_excl_], [a0 a1 a2 a3 a4], [mpi_group_excl_f08_], [], [a0 a1 a2 a3 a4])
            (243, MPI_Group_free, PMPI_Group_free, [a0], [mpi_group_free_ mpi_group_free__ mpi_group_free MPI_GROUP_FREE pmpi_group_free_], [a0 a1], [mpi_group_free_f08_], [], [a0 a1])
            (244, MPI_Group_from_session_pset, PMPI_Group_from_session_pset, [a0 a1 a2], [mpi_group_from_session_pset_ mpi_group_from_session_pset__ mpi_group_from_session_pset MPI_GROUP_FROM_SESSION_PSET pmpi_group_from_session_pset_], [a0 a1 a2 a3 a4], [mpi_group_from_session_pset_f08_], [], [a0 a1 a2 a3 a4])
            (245, MPI_Group_incl, PMPI_Group_incl, [a0 a1 a2 a3], [mpi_group_incl_ mpi_group_incl__ mpi_group_incl MPI_GROUP_INCL pmpi_group_incl_], [a0 a1 a2 a3 a4], [mpi_group_incl_f08_], [], [a0 a1 a2 a3 a4])
            (246, MPI_Group_intersection, PMPI_Group_intersection, [a0 a1 a2], [mpi_group_intersection_ mpi_group_intersection__ mpi_group_intersection MPI_GROUP_INTERSECTION pmpi_group_intersection_], [a0 a1 a2 a3], [mpi_group_intersection_f08_], [], [a0 a1 a2 a3])
            (247, MPI_Group_range_excl, PMPI_Group_range_excl, [a0 a1 a2 a3], [mpi_group_range_excl_ mpi_group_range_excl__ mpi_group_range_excl MPI_GROUP_RANGE_EXCL pmpi_group_range_excl_], [a0 a1 a2 a3 a4], [mpi_group_range_excl_f08_], [], [a0 a1 a2 a3 a4])
            (248, MPI_Group_range_incl, PMPI_Group_range_incl, [a0 a1 a2 a3], [mpi_group_range_incl_ mpi_group_range_incl__ mpi_group_range_incl MPI_GROUP_RANGE_INCL pmpi_group_range_incl_], [a0 a1 a2 a3 a4], [mpi_group_range_incl_f08_], [], [a0 a1 a2 a3 a4])
            (249, MPI_Group_rank, PMPI_Group_rank, [a0 a1], [mpi_group_rank_ mpi_group_rank__ mpi_group_rank MPI_GROUP_RANK pmpi_group_rank_], [a0 a1 a2], [mpi_group_rank_f08_], [], [a0 a1 a2])
            (250, MPI_Group_size, PMPI_Group_size, [a0 a1], [mpi_group_size_ mpi_group_size__ mpi_group_size MPI_GROUP_SIZE pmpi_group_size_], [a0 a1 a2], [mpi_group_size_f08_], [], [a0 a1 a2])
            (251, MPI_Group_translate_ranks, PMPI_Group_translate_ranks, [a0 a1 a2 a3 a4], [mpi_group_translate_ranks_ mpi_group_translate_ranks__ mpi_group_translate_ranks MPI_GROUP_TRANSLATE_RANKS pmpi_group_translate_ranks_], [a0 a1 a2 a3 a4 a5], [mpi_group_translate_ranks_f08_], [], [a0 a1 a2 a3 a4 a5])
            (252, MPI_Group_union, PMPI_Group_union, [a0 a1 a2], [mpi_group_union_ mpi_group_union__ mpi_group_union MPI_GROUP_UNION pmpi_group_union_], [a0 a1 a2 a3], [mpi_group_union_f08_], [], [a0 a1 a2 a3])
            (253, MPI_Iallgather, PMPI_Iallgather, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_iallgather_ mpi_iallgather__ mpi_iallgather MPI_IALLGATHER pmpi_iallgather_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_iallgather_f08_], [mpi_iallgather_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (254, MPI_Iallgather_c, PMPI_Iallgather_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_iallgather_c_f08_ mpi_iallgather_f08_large_ mpi_iallgather_c_f08ts_ mpi_iallgather_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (255, MPI_Iallgatherv, PMPI_Iallgatherv, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_iallgatherv_ mpi_iallgatherv__ mpi_iallgatherv MPI_IALLGATHERV pmpi_iallgatherv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_iallgatherv_f08_], [mpi_iallgatherv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (256, MPI_Iallgatherv_c, PMPI_Iallgatherv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_iallgatherv_c_f08_ mpi_iallgatherv_f08_large_ mpi_iallgatherv_c_f08ts_ mpi_iallgatherv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (257, MPI_Iallreduce, PMPI_Iallreduce, [a0 a1 a2 a3 a4 a5 a6], [mpi_iallreduce_ mpi_iallreduce__ mpi_iallreduce MPI_IALLREDUCE pmpi_iallreduce_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_iallreduce_f08_], [mpi_iallreduce_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (258, MPI_Iallreduce_c, PMPI_Iallreduce_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_iallreduce_c_f08_ mpi_iallreduce_f08_large_ mpi_iallreduce_c_f08ts_ mpi_iallreduce_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (259, MPI_Ialltoall, PMPI_Ialltoall, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_ialltoall_ mpi_ialltoall__ mpi_ialltoall MPI_IALLTOALL pmpi_ialltoall_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_ialltoall_f08_], [mpi_ialltoall_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (260, MPI_Ialltoall_c, PMPI_Ialltoall_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_ialltoall_c_f08_ mpi_ialltoall_f08_large_ mpi_ialltoall_c_f08ts_ mpi_ialltoall_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (261, MPI_Ialltoallv, PMPI_Ialltoallv, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_ialltoallv_ mpi_ialltoallv__ mpi_ialltoallv MPI_IALLTOALLV pmpi_ialltoallv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_ialltoallv_f08_], [mpi_ialltoallv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (262, MPI_Ialltoallv_c, PMPI_Ialltoallv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [], [], [mpi_ialltoallv_c_f08_ mpi_ialltoallv_f08_large_ mpi_ialltoallv_c_f08ts_ mpi_ialltoallv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (263, MPI_Ialltoallw, PMPI_Ialltoallw, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_ialltoallw_ mpi_ialltoallw__ mpi_ialltoallw MPI_IALLTOALLW pmpi_ialltoallw_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_ialltoallw_f08_], [mpi_ialltoallw_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (264, MPI_Ialltoallw_c, PMPI_Ialltoallw_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [], [], [mpi_ialltoallw_c_f08_ mpi_ialltoallw_f08_large_ mpi_ialltoallw_c_f08ts_ mpi_ialltoallw_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (265, MPI_Ibarrier, PMPI_Ibarrier, [a0 a1], [mpi_ibarrier_ mpi_ibarrier__ mpi_ibarrier MPI_IBARRIER pmpi_ibarrier_], [a0 a1 a2], [mpi_ibarrier_f08_], [], [a0 a1 a2])
            (266, MPI_Ibcast, PMPI_Ibcast, [a0 a1 a2 a3 a4 a5], [mpi_ibcast_ mpi_ibcast__ mpi_ibcast MPI_IBCAST pmpi_ibcast_], [a0 a1 a2 a3 a4 a5 a6], [mpi_ibcast_f08_], [mpi_ibcast_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (267, MPI_Ibcast_c, PMPI_Ibcast_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_ibcast_c_f08_ mpi_ibcast_f08_large_ mpi_ibcast_c_f08ts_ mpi_ibcast_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (268, MPI_Ibsend, PMPI_Ibsend, [a0 a1 a2 a3 a4 a5 a6], [mpi_ibsend_ mpi_ibsend__ mpi_ibsend MPI_IBSEND pmpi_ibsend_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_ibsend_f08_], [mpi_ibsend_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (269, MPI_Ibsend_c, PMPI_Ibsend_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_ibsend_c_f08_ mpi_ibsend_f08_large_ mpi_ibsend_c_f08ts_ mpi_ibsend_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (270, MPI_Iexscan, PMPI_Iexscan, [a0 a1 a2 a3 a4 a5 a6], [mpi_iexscan_ mpi_iexscan__ mpi_iexscan MPI_IEXSCAN pmpi_iexscan_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_iexscan_f08_], [mpi_iexscan_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (271, MPI_Iexscan_c, PMPI_Iexscan_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_iexscan_c_f08_ mpi_iexscan_f08_large_ mpi_iexscan_c_f08ts_ mpi_iexscan_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (272, MPI_Igather, PMPI_Igather, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_igather_ mpi_igather__ mpi_igather MPI_IGATHER pmpi_igather_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_igather_f08_], [mpi_igather_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (273, MPI_Igather_c, PMPI_Igather_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_igather_c_f08_ mpi_igather_f08_large_ mpi_igather_c_f08ts_ mpi_igather_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (274, MPI_Igatherv, PMPI_Igatherv, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_igatherv_ mpi_igatherv__ mpi_igatherv MPI_IGATHERV pmpi_igatherv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_igatherv_f08_], [mpi_igatherv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (275, MPI_Igatherv_c, PMPI_Igatherv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [], [], [mpi_igatherv_c_f08_ mpi_igatherv_f08_large_ mpi_igatherv_c_f08ts_ mpi_igatherv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (276, MPI_Improbe, PMPI_Improbe, [a0 a1 a2 a3 a4 a5], [mpi_improbe_ mpi_improbe__ mpi_improbe MPI_IMPROBE pmpi_improbe_], [a0 a1 a2 a3 a4 a5 a6], [mpi_improbe_f08_], [], [a0 a1 a2 a3 a4 a5 a6])
            (277, MPI_Imrecv, PMPI_Imrecv, [a0 a1 a2 a3 a4], [mpi_imrecv_ mpi_imrecv__ mpi_imrecv MPI_IMRECV pmpi_imrecv_], [a0 a1 a2 a3 a4 a5], [mpi_imrecv_f08_], [mpi_imrecv_f08ts_], [a0 a1 a2 a3 a4 a5])
            (278, MPI_Imrecv_c, PMPI_Imrecv_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_imrecv_c_f08_ mpi_imrecv_f08_large_ mpi_imrecv_c_f08ts_ mpi_imrecv_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (279, MPI_Ineighbor_allgather, PMPI_Ineighbor_allgather, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_ineighbor_allgather_ mpi_ineighbor_allgather__ mpi_ineighbor_allgather MPI_INEIGHBOR_ALLGATHER pmpi_ineighbor_allgather_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_ineighbor_allgather_f08_], [mpi_ineighbor_allgather_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (280, MPI_Ineighbor_allgather_c, PMPI_Ineighbor_allgather_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_ineighbor_allgather_c_f08_ mpi_ineighbor_allgather_f08_large_ mpi_ineighbor_allgather_c_f08ts_ mpi_ineighbor_allgather_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (281, MPI_Ineighbor_allgatherv, PMPI_Ineighbor_allgatherv, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_ineighbor_allgatherv_ mpi_ineighbor_allgatherv__ mpi_ineighbor_allgatherv MPI_INEIGHBOR_ALLGATHERV pmpi_ineighbor_allgatherv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_ineighbor_allgatherv_f08_], [mpi_ineighbor_allgatherv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (282, MPI_Ineighbor_allgatherv_c, PMPI_Ineighbor_allgatherv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_ineighbor_allgatherv_c_f08_ mpi_ineighbor_allgatherv_f08_large_ mpi_ineighbor_allgatherv_c_f08ts_ mpi_ineighbor_allgatherv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (283, MPI_Ineighbor_alltoall, PMPI_Ineighbor_alltoall, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_ineighbor_alltoall_ mpi_ineighbor_alltoall__ mpi_ineighbor_alltoall MPI_INEIGHBOR_ALLTOALL pmpi_ineighbor_alltoall_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_ineighbor_alltoall_f08_], [mpi_ineighbor_alltoall_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (284, MPI_Ineighbor_alltoall_c, PMPI_Ineighbor_alltoall_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_ineighbor_alltoall_c_f08_ mpi_ineighbor_alltoall_f08_large_ mpi_ineighbor_alltoall_c_f08ts_ mpi_ineighbor_alltoall_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (285, MPI_Ineighbor_alltoallv, PMPI_Ineighbor_alltoallv, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_ineighbor_alltoallv_ mpi_ineighbor_alltoallv__ mpi_ineighbor_alltoallv MPI_INEIGHBOR_ALLTOALLV pmpi_ineighbor_alltoallv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_ineighbor_alltoallv_f08_], [mpi_ineighbor_alltoallv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (286, MPI_Ineighbor_alltoallv_c, PMPI_Ineighbor_alltoallv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [], [], [mpi_ineighbor_alltoallv_c_f08_ mpi_ineighbor_alltoallv_f08_large_ mpi_ineighbor_alltoallv_c_f08ts_ mpi_ineighbor_alltoallv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (287, MPI_Ineighbor_alltoallw, PMPI_Ineighbor_alltoallw, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_ineighbor_alltoallw_ mpi_ineighbor_alltoallw__ mpi_ineighbor_alltoallw MPI_INEIGHBOR_ALLTOALLW pmpi_ineighbor_alltoallw_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_ineighbor_alltoallw_f08_], [mpi_ineighbor_alltoallw_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (288, MPI_Ineighbor_alltoallw_c, PMPI_Ineighbor_alltoallw_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [], [], [mpi_ineighbor_alltoallw_c_f08_ mpi_ineighbor_alltoallw_f08_large_ mpi_ineighbor_alltoallw_c_f08ts_ mpi_ineighbor_alltoallw_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (289, MPI_Info_create, PMPI_Info_create, [a0], [mpi_info_create_ mpi_info_create__ mpi_info_create MPI_INFO_CREATE pmpi_info_create_], [a0 a1], [mpi_info_create_f08_], [], [a0 a1])
            (290, MPI_Info_create_env, PMPI_Info_create_env, [a0 a1 a2], [mpi_info_create_env_ mpi_info_create_env__ mpi_info_create_env MPI_INFO_CREATE_ENV pmpi_info_create_env_], [a0 a1], [mpi_info_create_env_f08_], [], [a0 a1])
            (291, MPI_Info_delete, PMPI_Info_delete, [a0 a1], [mpi_info_delete_ mpi_info_delete__ mpi_info_delete MPI_INFO_DELETE pmpi_info_delete_], [a0 a1 a2 a3], [mpi_info_delete_f08_], [], [a0 a1 a2 a3])
            (292, MPI_Info_dup, PMPI_Info_dup, [a0 a1], [mpi_info_dup_ mpi_info_dup__ mpi_info_dup MPI_INFO_DUP pmpi_info_dup_], [a0 a1 a2], [mpi_info_dup_f08_], [], [a0 a1 a2])
            (293, MPI_Info_free, PMPI_Info_free, [a0], [mpi_info_free_ mpi_info_free__ mpi_info_free MPI_INFO_FREE pmpi_info_free_], [a0 a1], [mpi_info_free_f08_], [], [a0 a1])
            (294, MPI_Info_get, PMPI_Info_get, [a0 a1 a2 a3 a4], [mpi_info_get_ mpi_info_get__ mpi_info_get MPI_INFO_GET pmpi_info_get_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_info_get_f08_], [], [a0 a1 a2 a3 a4 a5 a6 a7])
            (295, MPI_Info_get_nkeys, PMPI_Info_get_nkeys, [a0 a1], [mpi_info_get_nkeys_ mpi_info_get_nkeys__ mpi_info_get_nkeys MPI_INFO_GET_NKEYS pmpi_info_get_nkeys_], [a0 a1 a2], [mpi_info_get_nkeys_f08_], [], [a0 a1 a2])
            (296, MPI_Info_get_nthkey, PMPI_Info_get_nthkey, [a0 a1 a2], [mpi_info_get_nthkey_ mpi_info_get_nthkey__ mpi_info_get_nthkey MPI_INFO_GET_NTHKEY pmpi_info_get_nthkey_], [a0 a1 a2 a3 a4], [mpi_info_get_nthkey_f08_], [], [a0 a1 a2 a3 a4])
            (297, MPI_Info_get_string, PMPI_Info_get_string, [a0 a1 a2 a3 a4], [mpi_info_get_string_ mpi_info_get_string__ mpi_info_get_string MPI_INFO_GET_STRING pmpi_info_get_string_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_info_get_string_f08_], [], [a0 a1 a2 a3 a4 a5 a6 a7])
            (298, MPI_Info_get_valuelen, PMPI_Info_get_valuelen, [a0 a1 a2 a3], [mpi_info_get_valuelen_ mpi_info_get_valuelen__ mpi_info_get_valuelen MPI_INFO_GET_VALUELEN pmpi_info_get_valuelen_], [a0 a1 a2 a3 a4 a5], [mpi_info_get_valuelen_f08_], [], [a0 a1 a2 a3 a4 a5])
            (299, MPI_Info_set, PMPI_Info_set, [a0 a1 a2], [mpi_info_set_ mpi_info_set__ mpi_info_set MPI_INFO_SET pmpi_info_set_], [a0 a1 a2 a3 a4 a5], [mpi_info_set_f08_], [], [a0 a1 a2 a3 a4 a5])
            (300, MPI_Init, PMPI_Init, [a0 a1], [mpi_init_ mpi_init__ mpi_init MPI_INIT pmpi_init_], [a0], [mpi_init_f08_], [], [a0])
            (301, MPI_Init_thread, PMPI_Init_thread, [a0 a1 a2 a3], [mpi_init_thread_ mpi_init_thread__ mpi_init_thread MPI_INIT_THREAD pmpi_init_thread_], [a0 a1 a2], [mpi_init_thread_f08_], [], [a0 a1 a2])
            (302, MPI_Initialized, PMPI_Initialized, [a0], [mpi_initialized_ mpi_initialized__ mpi_initialized MPI_INITIALIZED pmpi_initialized_], [a0 a1], [mpi_initialized_f08_], [], [a0 a1])
            (303, MPI_Intercomm_create, PMPI_Intercomm_create, [a0 a1 a2 a3 a4 a5], [mpi_intercomm_create_ mpi_intercomm_create__ mpi_intercomm_create MPI_INTERCOMM_CREATE pmpi_intercomm_create_], [a0 a1 a2 a3 a4 a5 a6], [mpi_intercomm_create_f08_], [], [a0 a1 a2 a3 a4 a5 a6])
            (304, MPI_Intercomm_create_from_groups, PMPI_Intercomm_create_from_groups, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_intercomm_create_from_groups_ mpi_intercomm_create_from_groups__ mpi_intercomm_create_from_groups MPI_INTERCOMM_CREATE_FROM_GROUPS pmpi_intercomm_create_from_groups_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_intercomm_create_from_groups_f08_], [], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (305, MPI_Intercomm_merge, PMPI_Intercomm_merge, [a0 a1 a2], [mpi_intercomm_merge_ mpi_intercomm_merge__ mpi_intercomm_merge MPI_INTERCOMM_MERGE pmpi_intercomm_merge_], [a0 a1 a2 a3], [mpi_intercomm_merge_f08_], [], [a0 a1 a2 a3])
            (306, MPI_Iprobe, PMPI_Iprobe, [a0 a1 a2 a3 a4], [mpi_iprobe_ mpi_iprobe__ mpi_iprobe MPI_IPROBE pmpi_iprobe_], [a0 a1 a2 a3 a4 a5], [mpi_iprobe_f08_], [], [a0 a1 a2 a3 a4 a5])
            (307, MPI_Irecv, PMPI_Irecv, [a0 a1 a2 a3 a4 a5 a6], [mpi_irecv_ mpi_irecv__ mpi_irecv MPI_IRECV pmpi_irecv_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_irecv_f08_], [mpi_irecv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (308, MPI_Irecv_c, PMPI_Irecv_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_irecv_c_f08_ mpi_irecv_f08_large_ mpi_irecv_c_f08ts_ mpi_irecv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (309, MPI_Ireduce, PMPI_Ireduce, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_ireduce_ mpi_ireduce__ mpi_ireduce MPI_IREDUCE pmpi_ireduce_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_ireduce_f08_], [mpi_ireduce_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (310, MPI_Ireduce_c, PMPI_Ireduce_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_ireduce_c_f08_ mpi_ireduce_f08_large_ mpi_ireduce_c_f08ts_ mpi_ireduce_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (311, MPI_Ireduce_scatter, PMPI_Ireduce_scatter, [a0 a1 a2 a3 a4 a5 a6], [mpi_ireduce_scatter_ mpi_ireduce_scatter__ mpi_ireduce_scatter MPI_IREDUCE_SCATTER pmpi_ireduce_scatter_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_ireduce_scatter_f08_], [mpi_ireduce_scatter_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (312, MPI_Ireduce_scatter_block, PMPI_Ireduce_scatter_block, [a0 a1 a2 a3 a4 a5 a6], [mpi_ireduce_scatter_block_ mpi_ireduce_scatter_block__ mpi_ireduce_scatter_block MPI_IREDUCE_SCATTER_BLOCK pmpi_ireduce_scatter_block_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_ireduce_scatter_block_f08_], [mpi_ireduce_scatter_block_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (313, MPI_Ireduce_scatter_block_c, PMPI_Ireduce_scatter_block_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_ireduce_scatter_block_c_f08_ mpi_ireduce_scatter_block_f08_large_ mpi_ireduce_scatter_block_c_f08ts_ mpi_ireduce_scatter_block_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (314, MPI_Ireduce_scatter_c, PMPI_Ireduce_scatter_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_ireduce_scatter_c_f08_ mpi_ireduce_scatter_f08_large_ mpi_ireduce_scatter_c_f08ts_ mpi_ireduce_scatter_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (315, MPI_Irsend, PMPI_Irsend, [a0 a1 a2 a3 a4 a5 a6], [mpi_irsend_ mpi_irsend__ mpi_irsend MPI_IRSEND pmpi_irsend_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_irsend_f08_], [mpi_irsend_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (316, MPI_Irsend_c, PMPI_Irsend_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_irsend_c_f08_ mpi_irsend_f08_large_ mpi_irsend_c_f08ts_ mpi_irsend_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (317, MPI_Is_thread_main, PMPI_Is_thread_main, [a0], [mpi_is_thread_main_ mpi_is_thread_main__ mpi_is_thread_main MPI_IS_THREAD_MAIN pmpi_is_thread_main_], [a0 a1], [mpi_is_thread_main_f08_], [], [a0 a1])
            (318, MPI_Iscan, PMPI_Iscan, [a0 a1 a2 a3 a4 a5 a6], [mpi_iscan_ mpi_iscan__ mpi_iscan MPI_ISCAN pmpi_iscan_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_iscan_f08_], [mpi_iscan_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (319, MPI_Iscan_c, PMPI_Iscan_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_iscan_c_f08_ mpi_iscan_f08_large_ mpi_iscan_c_f08ts_ mpi_iscan_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (320, MPI_Iscatter, PMPI_Iscatter, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_iscatter_ mpi_iscatter__ mpi_iscatter MPI_ISCATTER pmpi_iscatter_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_iscatter_f08_], [mpi_iscatter_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (321, MPI_Iscatter_c, PMPI_Iscatter_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_iscatter_c_f08_ mpi_iscatter_f08_large_ mpi_iscatter_c_f08ts_ mpi_iscatter_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (322, MPI_Iscatterv, PMPI_Iscatterv, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_iscatterv_ mpi_iscatterv__ mpi_iscatterv MPI_ISCATTERV pmpi_iscatterv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_iscatterv_f08_], [mpi_iscatterv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (323, MPI_Iscatterv_c, PMPI_Iscatterv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [], [], [mpi_iscatterv_c_f08_ mpi_iscatterv_f08_large_ mpi_iscatterv_c_f08ts_ mpi_iscatterv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (324, MPI_Isend, PMPI_Isend, [a0 a1 a2 a3 a4 a5 a6], [mpi_isend_ mpi_isend__ mpi_isend MPI_ISEND pmpi_isend_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_isend_f08_], [mpi_isend_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (325, MPI_Isend_c, PMPI_Isend_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_isend_c_f08_ mpi_isend_f08_large_ mpi_isend_c_f08ts_ mpi_isend_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (326, MPI_Isendrecv, PMPI_Isendrecv, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [mpi_isendrecv_ mpi_isendrecv__ mpi_isendrecv MPI_ISENDRECV pmpi_isendrecv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12], [mpi_isendrecv_f08_], [mpi_isendrecv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12])
            (327, MPI_Isendrecv_c, PMPI_Isendrecv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [], [], [], [mpi_isendrecv_c_f08_ mpi_isendrecv_f08_large_ mpi_isendrecv_c_f08ts_ mpi_isendrecv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12])
            (328, MPI_Isendrecv_replace, PMPI_Isendrecv_replace, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_isendrecv_replace_ mpi_isendrecv_replace__ mpi_isendrecv_replace MPI_ISENDRECV_REPLACE pmpi_isendrecv_replace_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_isendrecv_replace_f08_], [mpi_isendrecv_replace_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (329, MPI_Isendrecv_replace_c, PMPI_Isendrecv_replace_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_isendrecv_replace_c_f08_ mpi_isendrecv_replace_f08_large_ mpi_isendrecv_replace_c_f08ts_ mpi_isendrecv_replace_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (330, MPI_Issend, PMPI_Issend, [a0 a1 a2 a3 a4 a5 a6], [mpi_issend_ mpi_issend__ mpi_issend MPI_ISSEND pmpi_issend_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_issend_f08_], [mpi_issend_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (331, MPI_Issend_c, PMPI_Issend_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_issend_c_f08_ mpi_issend_f08_large_ mpi_issend_c_f08ts_ mpi_issend_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (332, MPI_Keyval_create, PMPI_Keyval_create, [a0 a1 a2 a3], [mpi_keyval_create_ mpi_keyval_create__ mpi_keyval_create MPI_KEYVAL_CREATE pmpi_keyval_create_], [a0 a1 a2 a3 a4], [], [], [])
            (333, MPI_Keyval_free, PMPI_Keyval_free, [a0], [mpi_keyval_free_ mpi_keyval_free__ mpi_keyval_free MPI_KEYVAL_FREE pmpi_keyval_free_], [a0 a1], [], [], [])
            (334, MPI_Lookup_name, PMPI_Lookup_name, [a0 a1 a2], [mpi_lookup_name_ mpi_lookup_name__ mpi_lookup_name MPI_LOOKUP_NAME pmpi_lookup_name_], [a0 a1 a2 a3 a4 a5], [mpi_lookup_name_f08_], [], [a0 a1 a2 a3 a4 a5])
            (335, MPI_Mprobe, PMPI_Mprobe, [a0 a1 a2 a3 a4], [mpi_mprobe_ mpi_mprobe__ mpi_mprobe MPI_MPROBE pmpi_mprobe_], [a0 a1 a2 a3 a4 a5], [mpi_mprobe_f08_], [], [a0 a1 a2 a3 a4 a5])
            (336, MPI_Mrecv, PMPI_Mrecv, [a0 a1 a2 a3 a4], [mpi_mrecv_ mpi_mrecv__ mpi_mrecv MPI_MRECV pmpi_mrecv_], [a0 a1 a2 a3 a4 a5], [mpi_mrecv_f08_], [mpi_mrecv_f08ts_], [a0 a1 a2 a3 a4 a5])
            (337, MPI_Mrecv_c, PMPI_Mrecv_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_mrecv_c_f08_ mpi_mrecv_f08_large_ mpi_mrecv_c_f08ts_ mpi_mrecv_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (338, MPI_Neighbor_allgather, PMPI_Neighbor_allgather, [a0 a1 a2 a3 a4 a5 a6], [mpi_neighbor_allgather_ mpi_neighbor_allgather__ mpi_neighbor_allgather MPI_NEIGHBOR_ALLGATHER pmpi_neighbor_allgather_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_neighbor_allgather_f08_], [mpi_neighbor_allgather_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (339, MPI_Neighbor_allgather_c, PMPI_Neighbor_allgather_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_neighbor_allgather_c_f08_ mpi_neighbor_allgather_f08_large_ mpi_neighbor_allgather_c_f08ts_ mpi_neighbor_allgather_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (340, MPI_Neighbor_allgather_init, PMPI_Neighbor_allgather_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_neighbor_allgather_init_ mpi_neighbor_allgather_init__ mpi_neighbor_allgather_init MPI_NEIGHBOR_ALLGATHER_INIT pmpi_neighbor_allgather_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_neighbor_allgather_init_f08_], [mpi_neighbor_allgather_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (341, MPI_Neighbor_allgather_init_c, PMPI_Neighbor_allgather_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_neighbor_allgather_init_c_f08_ mpi_neighbor_allgather_init_f08_large_ mpi_neighbor_allgather_init_c_f08ts_ mpi_neighbor_allgather_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (342, MPI_Neighbor_allgatherv, PMPI_Neighbor_allgatherv, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_neighbor_allgatherv_ mpi_neighbor_allgatherv__ mpi_neighbor_allgatherv MPI_NEIGHBOR_ALLGATHERV pmpi_neighbor_allgatherv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_neighbor_allgatherv_f08_], [mpi_neighbor_allgatherv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (343, MPI_Neighbor_allgatherv_c, PMPI_Neighbor_allgatherv_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_neighbor_allgatherv_c_f08_ mpi_neighbor_allgatherv_f08_large_ mpi_neighbor_allgatherv_c_f08ts_ mpi_neighbor_allgatherv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (344, MPI_Neighbor_allgatherv_init, PMPI_Neighbor_allgatherv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_neighbor_allgatherv_init_ mpi_neighbor_allgatherv_init__ mpi_neighbor_allgatherv_init MPI_NEIGHBOR_ALLGATHERV_INIT pmpi_neighbor_allgatherv_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_neighbor_allgatherv_init_f08_], [mpi_neighbor_allgatherv_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (345, MPI_Neighbor_allgatherv_init_c, PMPI_Neighbor_allgatherv_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [], [], [mpi_neighbor_allgatherv_init_c_f08_ mpi_neighbor_allgatherv_init_f08_large_ mpi_neighbor_allgatherv_init_c_f08ts_ mpi_neighbor_allgatherv_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (346, MPI_Neighbor_alltoall, PMPI_Neighbor_alltoall, [a0 a1 a2 a3 a4 a5 a6], [mpi_neighbor_alltoall_ mpi_neighbor_alltoall__ mpi_neighbor_alltoall MPI_NEIGHBOR_ALLTOALL pmpi_neighbor_alltoall_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_neighbor_alltoall_f08_], [mpi_neighbor_alltoall_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (347, MPI_Neighbor_alltoall_c, PMPI_Neighbor_alltoall_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_neighbor_alltoall_c_f08_ mpi_neighbor_alltoall_f08_large_ mpi_neighbor_alltoall_c_f08ts_ mpi_neighbor_alltoall_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (348, MPI_Neighbor_alltoall_init, PMPI_Neighbor_alltoall_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_neighbor_alltoall_init_ mpi_neighbor_alltoall_init__ mpi_neighbor_alltoall_init MPI_NEIGHBOR_ALLTOALL_INIT pmpi_neighbor_alltoall_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_neighbor_alltoall_init_f08_], [mpi_neighbor_alltoall_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (349, MPI_Neighbor_alltoall_init_c, PMPI_Neighbor_alltoall_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_neighbor_alltoall_init_c_f08_ mpi_neighbor_alltoall_init_f08_large_ mpi_neighbor_alltoall_init_c_f08ts_ mpi_neighbor_alltoall_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (350, MPI_Neighbor_alltoallv, PMPI_Neighbor_alltoallv, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_neighbor_alltoallv_ mpi_neighbor_alltoallv__ mpi_neighbor_alltoallv MPI_NEIGHBOR_ALLTOALLV pmpi_neighbor_alltoallv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_neighbor_alltoallv_f08_], [mpi_neighbor_alltoallv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (351, MPI_Neighbor_alltoallv_c, PMPI_Neighbor_alltoallv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_neighbor_alltoallv_c_f08_ mpi_neighbor_alltoallv_f08_large_ mpi_neighbor_alltoallv_c_f08ts_ mpi_neighbor_alltoallv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (352, MPI_Neighbor_alltoallv_init, PMPI_Neighbor_alltoallv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_neighbor_alltoallv_init_ mpi_neighbor_alltoallv_init__ mpi_neighbor_alltoallv_init MPI_NEIGHBOR_ALLTOALLV_INIT pmpi_neighbor_alltoallv_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [mpi_neighbor_alltoallv_init_f08_], [mpi_neighbor_alltoallv_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (353, MPI_Neighbor_alltoallv_init_c, PMPI_Neighbor_alltoallv_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [], [], [], [mpi_neighbor_alltoallv_init_c_f08_ mpi_neighbor_alltoallv_init_f08_large_ mpi_neighbor_alltoallv_init_c_f08ts_ mpi_neighbor_alltoallv_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (354, MPI_Neighbor_alltoallw, PMPI_Neighbor_alltoallw, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_neighbor_alltoallw_ mpi_neighbor_alltoallw__ mpi_neighbor_alltoallw MPI_NEIGHBOR_ALLTOALLW pmpi_neighbor_alltoallw_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_neighbor_alltoallw_f08_], [mpi_neighbor_alltoallw_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (355, MPI_Neighbor_alltoallw_c, PMPI_Neighbor_alltoallw_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_neighbor_alltoallw_c_f08_ mpi_neighbor_alltoallw_f08_large_ mpi_neighbor_alltoallw_c_f08ts_ mpi_neighbor_alltoallw_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (356, MPI_Neighbor_alltoallw_init, PMPI_Neighbor_alltoallw_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_neighbor_alltoallw_init_ mpi_neighbor_alltoallw_init__ mpi_neighbor_alltoallw_init MPI_NEIGHBOR_ALLTOALLW_INIT pmpi_neighbor_alltoallw_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [mpi_neighbor_alltoallw_init_f08_], [mpi_neighbor_alltoallw_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (357, MPI_Neighbor_alltoallw_init_c, PMPI_Neighbor_alltoallw_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [], [], [], [mpi_neighbor_alltoallw_init_c_f08_ mpi_neighbor_alltoallw_init_f08_large_ mpi_neighbor_alltoallw_init_c_f08ts_ mpi_neighbor_alltoallw_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (358, MPI_Op_commutative, PMPI_Op_commutative, [a0 a1], [mpi_op_commutative_ mpi_op_commutative__ mpi_op_commutative MPI_OP_COMMUTATIVE pmpi_op_commutative_], [a0 a1 a2], [mpi_op_commutative_f08_], [], [a0 a1 a2])
            (359, MPI_Op_create, PMPI_Op_create, [a0 a1 a2], [mpi_op_create_ mpi_op_create__ mpi_op_create MPI_OP_CREATE pmpi_op_create_], [a0 a1 a2 a3], [mpi_op_create_f08_], [], [a0 a1 a2 a3])
            (360, MPI_Op_create_c, PMPI_Op_create_c, [a0 a1 a2], [], [], [], [mpi_op_create_c_f08_ mpi_op_create_f08_large_], [a0 a1 a2 a3])
            (361, MPI_Op_free, PMPI_Op_free, [a0], [mpi_op_free_ mpi_op_free__ mpi_op_free MPI_OP_FREE pmpi_op_free_], [a0 a1], [mpi_op_free_f08_], [], [a0 a1])
            (362, MPI_Open_port, PMPI_Open_port, [a0 a1], [mpi_open_port_ mpi_open_port__ mpi_open_port MPI_OPEN_PORT pmpi_open_port_], [a0 a1 a2 a3], [mpi_open_port_f08_], [], [a0 a1 a2 a3])
            (363, MPI_Pack, PMPI_Pack, [a0 a1 a2 a3 a4 a5 a6], [mpi_pack_ mpi_pack__ mpi_pack MPI_PACK pmpi_pack_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_pack_f08_], [mpi_pack_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (364, MPI_Pack_c, PMPI_Pack_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_pack_c_f08_ mpi_pack_f08_large_ mpi_pack_c_f08ts_ mpi_pack_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (365, MPI_Pack_external, PMPI_Pack_external, [a0 a1 a2 a3 a4 a5 a6], [mpi_pack_external_ mpi_pack_external__ mpi_pack_external MPI_PACK_EXTERNAL pmpi_pack_external_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_pack_external_f08_], [mpi_pack_external_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (366, MPI_Pack_external_c, PMPI_Pack_external_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_pack_external_c_f08_ mpi_pack_external_f08_large_ mpi_pack_external_c_f08ts_ mpi_pack_external_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (367, MPI_Pack_external_size, PMPI_Pack_external_size, [a0 a1 a2 a3], [mpi_pack_external_size_ mpi_pack_external_size__ mpi_pack_external_size MPI_PACK_EXTERNAL_SIZE pmpi_pack_external_size_], [a0 a1 a2 a3 a4 a5], [mpi_pack_external_size_f08_], [], [a0 a1 a2 a3 a4 a5])
            (368, MPI_Pack_external_size_c, PMPI_Pack_external_size_c, [a0 a1 a2 a3], [], [], [], [mpi_pack_external_size_c_f08_ mpi_pack_external_size_f08_large_], [a0 a1 a2 a3 a4 a5])
            (369, MPI_Pack_size, PMPI_Pack_size, [a0 a1 a2 a3], [mpi_pack_size_ mpi_pack_size__ mpi_pack_size MPI_PACK_SIZE pmpi_pack_size_], [a0 a1 a2 a3 a4], [mpi_pack_size_f08_], [], [a0 a1 a2 a3 a4])
            (370, MPI_Pack_size_c, PMPI_Pack_size_c, [a0 a1 a2 a3], [], [], [], [mpi_pack_size_c_f08_ mpi_pack_size_f08_large_], [a0 a1 a2 a3 a4])
            (371, MPI_Parrived, PMPI_Parrived, [a0 a1 a2], [mpi_parrived_ mpi_parrived__ mpi_parrived MPI_PARRIVED pmpi_parrived_], [a0 a1 a2 a3], [mpi_parrived_f08_], [], [a0 a1 a2 a3])
            (372, MPI_Pcontrol, PMPI_Pcontrol, [a0 a1], [mpi_pcontrol_ mpi_pcontrol__ mpi_pcontrol MPI_PCONTROL pmpi_pcontrol_], [a0], [mpi_pcontrol_f08_], [], [a0])
            (373, MPI_Pready, PMPI_Pready, [a0 a1], [mpi_pready_ mpi_pready__ mpi_pready MPI_PREADY pmpi_pready_], [a0 a1 a2], [mpi_pready_f08_], [], [a0 a1 a2])
            (374, MPI_Pready_list, PMPI_Pready_list, [a0 a1 a2], [mpi_pready_list_ mpi_pready_list__ mpi_pready_list MPI_PREADY_LIST pmpi_pready_list_], [a0 a1 a2 a3], [mpi_pready_list_f08_], [], [a0 a1 a2 a3])
            (375, MPI_Pready_range, PMPI_Pready_range, [a0 a1 a2], [mpi_pready_range_ mpi_pready_range__ mpi_pready_range MPI_PREADY_RANGE pmpi_pready_range_], [a0 a1 a2 a3], [mpi_pready_range_f08_], [], [a0 a1 a2 a3])
            (376, MPI_Precv_init, PMPI_Precv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_precv_init_ mpi_precv_init__ mpi_precv_init MPI_PRECV_INIT pmpi_precv_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_precv_init_f08_], [mpi_precv_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (377, MPI_Probe, PMPI_Probe, [a0 a1 a2 a3], [mpi_probe_ mpi_probe__ mpi_probe MPI_PROBE pmpi_probe_], [a0 a1 a2 a3 a4], [mpi_probe_f08_], [], [a0 a1 a2 a3 a4])
            (378, MPI_Psend_init, PMPI_Psend_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_psend_init_ mpi_psend_init__ mpi_psend_init MPI_PSEND_INIT pmpi_psend_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_psend_init_f08_], [mpi_psend_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (379, MPI_Publish_name, PMPI_Publish_name, [a0 a1 a2], [mpi_publish_name_ mpi_publish_name__ mpi_publish_name MPI_PUBLISH_NAME pmpi_publish_name_], [a0 a1 a2 a3 a4 a5], [mpi_publish_name_f08_], [], [a0 a1 a2 a3 a4 a5])
            (380, MPI_Put, PMPI_Put, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_put_ mpi_put__ mpi_put MPI_PUT pmpi_put_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_put_f08_], [mpi_put_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (381, MPI_Put_c, PMPI_Put_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_put_c_f08_ mpi_put_f08_large_ mpi_put_c_f08ts_ mpi_put_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (382, MPI_Query_thread, PMPI_Query_thread, [a0], [mpi_query_thread_ mpi_query_thread__ mpi_query_thread MPI_QUERY_THREAD pmpi_query_thread_], [a0 a1], [mpi_query_thread_f08_], [], [a0 a1])
            (383, MPI_Raccumulate, PMPI_Raccumulate, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_raccumulate_ mpi_raccumulate__ mpi_raccumulate MPI_RACCUMULATE pmpi_raccumulate_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_raccumulate_f08_], [mpi_raccumulate_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (384, MPI_Raccumulate_c, PMPI_Raccumulate_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [], [], [mpi_raccumulate_c_f08_ mpi_raccumulate_f08_large_ mpi_raccumulate_c_f08ts_ mpi_raccumulate_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (385, MPI_Recv, PMPI_Recv, [a0 a1 a2 a3 a4 a5 a6], [mpi_recv_ mpi_recv__ mpi_recv MPI_RECV pmpi_recv_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_recv_f08_], [mpi_recv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (386, MPI_Recv_c, PMPI_Recv_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_recv_c_f08_ mpi_recv_f08_large_ mpi_recv_c_f08ts_ mpi_recv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (387, MPI_Recv_init, PMPI_Recv_init, [a0 a1 a2 a3 a4 a5 a6], [mpi_recv_init_ mpi_recv_init__ mpi_recv_init MPI_RECV_INIT pmpi_recv_init_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_recv_init_f08_], [mpi_recv_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (388, MPI_Recv_init_c, PMPI_Recv_init_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_recv_init_c_f08_ mpi_recv_init_f08_large_ mpi_recv_init_c_f08ts_ mpi_recv_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (389, MPI_Reduce, PMPI_Reduce, [a0 a1 a2 a3 a4 a5 a6], [mpi_reduce_ mpi_reduce__ mpi_reduce MPI_REDUCE pmpi_reduce_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_reduce_f08_], [mpi_reduce_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (390, MPI_Reduce_c, PMPI_Reduce_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_reduce_c_f08_ mpi_reduce_f08_large_ mpi_reduce_c_f08ts_ mpi_reduce_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (391, MPI_Reduce_init, PMPI_Reduce_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_reduce_init_ mpi_reduce_init__ mpi_reduce_init MPI_REDUCE_INIT pmpi_reduce_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_reduce_init_f08_], [mpi_reduce_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (392, MPI_Reduce_init_c, PMPI_Reduce_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_reduce_init_c_f08_ mpi_reduce_init_f08_large_ mpi_reduce_init_c_f08ts_ mpi_reduce_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (393, MPI_Reduce_local, PMPI_Reduce_local, [a0 a1 a2 a3 a4], [mpi_reduce_local_ mpi_reduce_local__ mpi_reduce_local MPI_REDUCE_LOCAL pmpi_reduce_local_], [a0 a1 a2 a3 a4 a5], [mpi_reduce_local_f08_], [mpi_reduce_local_f08ts_], [a0 a1 a2 a3 a4 a5])
            (394, MPI_Reduce_local_c, PMPI_Reduce_local_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_reduce_local_c_f08_ mpi_reduce_local_f08_large_ mpi_reduce_local_c_f08ts_ mpi_reduce_local_f08ts_large_], [a0 a1 a2 a3 a4 a5])
            (395, MPI_Reduce_scatter, PMPI_Reduce_scatter, [a0 a1 a2 a3 a4 a5], [mpi_reduce_scatter_ mpi_reduce_scatter__ mpi_reduce_scatter MPI_REDUCE_SCATTER pmpi_reduce_scatter_], [a0 a1 a2 a3 a4 a5 a6], [mpi_reduce_scatter_f08_], [mpi_reduce_scatter_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (396, MPI_Reduce_scatter_block, PMPI_Reduce_scatter_block, [a0 a1 a2 a3 a4 a5], [mpi_reduce_scatter_block_ mpi_reduce_scatter_block__ mpi_reduce_scatter_block MPI_REDUCE_SCATTER_BLOCK pmpi_reduce_scatter_block_], [a0 a1 a2 a3 a4 a5 a6], [mpi_reduce_scatter_block_f08_], [mpi_reduce_scatter_block_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (397, MPI_Reduce_scatter_block_c, PMPI_Reduce_scatter_block_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_reduce_scatter_block_c_f08_ mpi_reduce_scatter_block_f08_large_ mpi_reduce_scatter_block_c_f08ts_ mpi_reduce_scatter_block_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (398, MPI_Reduce_scatter_block_init, PMPI_Reduce_scatter_block_init, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_reduce_scatter_block_init_ mpi_reduce_scatter_block_init__ mpi_reduce_scatter_block_init MPI_REDUCE_SCATTER_BLOCK_INIT pmpi_reduce_scatter_block_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_reduce_scatter_block_init_f08_], [mpi_reduce_scatter_block_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (399, MPI_Reduce_scatter_block_init_c, PMPI_Reduce_scatter_block_init_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_reduce_scatter_block_init_c_f08_ mpi_reduce_scatter_block_init_f08_large_ mpi_reduce_scatter_block_init_c_f08ts_ mpi_reduce_scatter_block_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (400, MPI_Reduce_scatter_c, PMPI_Reduce_scatter_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_reduce_scatter_c_f08_ mpi_reduce_scatter_f08_large_ mpi_reduce_scatter_c_f08ts_ mpi_reduce_scatter_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (401, MPI_Reduce_scatter_init, PMPI_Reduce_scatter_init, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_reduce_scatter_init_ mpi_reduce_scatter_init__ mpi_reduce_scatter_init MPI_REDUCE_SCATTER_INIT pmpi_reduce_scatter_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_reduce_scatter_init_f08_], [mpi_reduce_scatter_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (402, MPI_Reduce_scatter_init_c, PMPI_Reduce_scatter_init_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_reduce_scatter_init_c_f08_ mpi_reduce_scatter_init_f08_large_ mpi_reduce_scatter_init_c_f08ts_ mpi_reduce_scatter_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (403, MPI_Register_datarep, PMPI_Register_datarep, [a0 a1 a2 a3 a4], [mpi_register_datarep_ mpi_register_datarep__ mpi_register_datarep MPI_REGISTER_DATAREP pmpi_register_datarep_], [a0 a1 a2 a3 a4 a5 a6], [mpi_register_datarep_f08_], [], [a0 a1 a2 a3 a4 a5 a6])
            (404, MPI_Register_datarep_c, PMPI_Register_datarep_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_register_datarep_c_f08_ mpi_register_datarep_f08_large_], [a0 a1 a2 a3 a4 a5 a6])
            (405, MPI_Remove_error_class, PMPI_Remove_error_class, [a0], [mpi_remove_error_class_ mpi_remove_error_class__ mpi_remove_error_class MPI_REMOVE_ERROR_CLASS pmpi_remove_error_class_], [a0 a1], [mpi_remove_error_class_f08_], [], [a0 a1])
            (406, MPI_Remove_error_code, PMPI_Remove_error_code, [a0], [mpi_remove_error_code_ mpi_remove_error_code__ mpi_remove_error_code MPI_REMOVE_ERROR_CODE pmpi_remove_error_code_], [a0 a1], [mpi_remove_error_code_f08_], [], [a0 a1])
            (407, MPI_Remove_error_string, PMPI_Remove_error_string, [a0], [mpi_remove_error_string_ mpi_remove_error_string__ mpi_remove_error_string MPI_REMOVE_ERROR_STRING pmpi_remove_error_string_], [a0 a1], [mpi_remove_error_string_f08_], [], [a0 a1])
            (408, MPI_Request_free, PMPI_Request_free, [a0], [mpi_request_free_ mpi_request_free__ mpi_request_free MPI_REQUEST_FREE pmpi_request_free_], [a0 a1], [mpi_request_free_f08_], [], [a0 a1])
            (409, MPI_Request_get_status, PMPI_Request_get_status, [a0 a1 a2], [mpi_request_get_status_ mpi_request_get_status__ mpi_request_get_status MPI_REQUEST_GET_STATUS pmpi_request_get_status_], [a0 a1 a2 a3], [mpi_request_get_status_f08_], [], [a0 a1 a2 a3])
            (410, MPI_Request_get_status_all, PMPI_Request_get_status_all, [a0 a1 a2 a3], [mpi_request_get_status_all_ mpi_request_get_status_all__ mpi_request_get_status_all MPI_REQUEST_GET_STATUS_ALL pmpi_request_get_status_all_], [a0 a1 a2 a3 a4], [mpi_request_get_status_all_f08_], [], [a0 a1 a2 a3 a4])
            (411, MPI_Request_get_status_any, PMPI_Request_get_status_any, [a0 a1 a2 a3 a4], [mpi_request_get_status_any_ mpi_request_get_status_any__ mpi_request_get_status_any MPI_REQUEST_GET_STATUS_ANY pmpi_request_get_status_any_], [a0 a1 a2 a3 a4 a5], [mpi_request_get_status_any_f08_], [], [a0 a1 a2 a3 a4 a5])
            (412, MPI_Request_get_status_some, PMPI_Request_get_status_some, [a0 a1 a2 a3 a4], [mpi_request_get_status_some_ mpi_request_get_status_some__ mpi_request_get_status_some MPI_REQUEST_GET_STATUS_SOME pmpi_request_get_status_some_], [a0 a1 a2 a3 a4 a5], [mpi_request_get_status_some_f08_], [], [a0 a1 a2 a3 a4 a5])
            (413, MPI_Rget, PMPI_Rget, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_rget_ mpi_rget__ mpi_rget MPI_RGET pmpi_rget_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_rget_f08_], [mpi_rget_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (414, MPI_Rget_accumulate, PMPI_Rget_accumulate, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12], [mpi_rget_accumulate_ mpi_rget_accumulate__ mpi_rget_accumulate MPI_RGET_ACCUMULATE pmpi_rget_accumulate_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12 a13], [mpi_rget_accumulate_f08_], [mpi_rget_accumulate_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12 a13])
            (415, MPI_Rget_accumulate_c, PMPI_Rget_accumulate_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12], [], [], [], [mpi_rget_accumulate_c_f08_ mpi_rget_accumulate_f08_large_ mpi_rget_accumulate_c_f08ts_ mpi_rget_accumulate_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12 a13])
            (416, MPI_Rget_c, PMPI_Rget_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_rget_c_f08_ mpi_rget_f08_large_ mpi_rget_c_f08ts_ mpi_rget_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (417, MPI_Rput, PMPI_Rput, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_rput_ mpi_rput__ mpi_rput MPI_RPUT pmpi_rput_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_rput_f08_], [mpi_rput_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (418, MPI_Rput_c, PMPI_Rput_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_rput_c_f08_ mpi_rput_f08_large_ mpi_rput_c_f08ts_ mpi_rput_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (419, MPI_Rsend, PMPI_Rsend, [a0 a1 a2 a3 a4 a5], [mpi_rsend_ mpi_rsend__ mpi_rsend MPI_RSEND pmpi_rsend_], [a0 a1 a2 a3 a4 a5 a6], [mpi_rsend_f08_], [mpi_rsend_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (420, MPI_Rsend_c, PMPI_Rsend_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_rsend_c_f08_ mpi_rsend_f08_large_ mpi_rsend_c_f08ts_ mpi_rsend_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (421, MPI_Rsend_init, PMPI_Rsend_init, [a0 a1 a2 a3 a4 a5 a6], [mpi_rsend_init_ mpi_rsend_init__ mpi_rsend_init MPI_RSEND_INIT pmpi_rsend_init_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_rsend_init_f08_], [mpi_rsend_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (422, MPI_Rsend_init_c, PMPI_Rsend_init_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_rsend_init_c_f08_ mpi_rsend_init_f08_large_ mpi_rsend_init_c_f08ts_ mpi_rsend_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (423, MPI_Scan, PMPI_Scan, [a0 a1 a2 a3 a4 a5], [mpi_scan_ mpi_scan__ mpi_scan MPI_SCAN pmpi_scan_], [a0 a1 a2 a3 a4 a5 a6], [mpi_scan_f08_], [mpi_scan_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (424, MPI_Scan_c, PMPI_Scan_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_scan_c_f08_ mpi_scan_f08_large_ mpi_scan_c_f08ts_ mpi_scan_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (425, MPI_Scan_init, PMPI_Scan_init, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_scan_init_ mpi_scan_init__ mpi_scan_init MPI_SCAN_INIT pmpi_scan_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_scan_init_f08_], [mpi_scan_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (426, MPI_Scan_init_c, PMPI_Scan_init_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_scan_init_c_f08_ mpi_scan_init_f08_large_ mpi_scan_init_c_f08ts_ mpi_scan_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (427, MPI_Scatter, PMPI_Scatter, [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_scatter_ mpi_scatter__ mpi_scatter MPI_SCATTER pmpi_scatter_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_scatter_f08_], [mpi_scatter_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (428, MPI_Scatter_c, PMPI_Scatter_c, [a0 a1 a2 a3 a4 a5 a6 a7], [], [], [], [mpi_scatter_c_f08_ mpi_scatter_f08_large_ mpi_scatter_c_f08ts_ mpi_scatter_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (429, MPI_Scatter_init, PMPI_Scatter_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_scatter_init_ mpi_scatter_init__ mpi_scatter_init MPI_SCATTER_INIT pmpi_scatter_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_scatter_init_f08_], [mpi_scatter_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (430, MPI_Scatter_init_c, PMPI_Scatter_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [], [], [mpi_scatter_init_c_f08_ mpi_scatter_init_f08_large_ mpi_scatter_init_c_f08ts_ mpi_scatter_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (431, MPI_Scatterv, PMPI_Scatterv, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_scatterv_ mpi_scatterv__ mpi_scatterv MPI_SCATTERV pmpi_scatterv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_scatterv_f08_], [mpi_scatterv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (432, MPI_Scatterv_c, PMPI_Scatterv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_scatterv_c_f08_ mpi_scatterv_f08_large_ mpi_scatterv_c_f08ts_ mpi_scatterv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (433, MPI_Scatterv_init, PMPI_Scatterv_init, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_scatterv_init_ mpi_scatterv_init__ mpi_scatterv_init MPI_SCATTERV_INIT pmpi_scatterv_init_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [mpi_scatterv_init_f08_], [mpi_scatterv_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (434, MPI_Scatterv_init_c, PMPI_Scatterv_init_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [], [], [], [mpi_scatterv_init_c_f08_ mpi_scatterv_init_f08_large_ mpi_scatterv_init_c_f08ts_ mpi_scatterv_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11])
            (435, MPI_Send, PMPI_Send, [a0 a1 a2 a3 a4 a5], [mpi_send_ mpi_send__ mpi_send MPI_SEND pmpi_send_], [a0 a1 a2 a3 a4 a5 a6], [mpi_send_f08_], [mpi_send_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (436, MPI_Send_c, PMPI_Send_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_send_c_f08_ mpi_send_f08_large_ mpi_send_c_f08ts_ mpi_send_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (437, MPI_Send_init, PMPI_Send_init, [a0 a1 a2 a3 a4 a5 a6], [mpi_send_init_ mpi_send_init__ mpi_send_init MPI_SEND_INIT pmpi_send_init_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_send_init_f08_], [mpi_send_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (438, MPI_Send_init_c, PMPI_Send_init_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_send_init_c_f08_ mpi_send_init_f08_large_ mpi_send_init_c_f08ts_ mpi_send_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (439, MPI_Sendrecv, PMPI_Sendrecv, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [mpi_sendrecv_ mpi_sendrecv__ mpi_sendrecv MPI_SENDRECV pmpi_sendrecv_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12], [mpi_sendrecv_f08_], [mpi_sendrecv_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12])
            (440, MPI_Sendrecv_c, PMPI_Sendrecv_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11], [], [], [], [mpi_sendrecv_c_f08_ mpi_sendrecv_f08_large_ mpi_sendrecv_c_f08ts_ mpi_sendrecv_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12])
            (441, MPI_Sendrecv_replace, PMPI_Sendrecv_replace, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_sendrecv_replace_ mpi_sendrecv_replace__ mpi_sendrecv_replace MPI_SENDRECV_REPLACE pmpi_sendrecv_replace_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_sendrecv_replace_f08_], [mpi_sendrecv_replace_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (442, MPI_Sendrecv_replace_c, PMPI_Sendrecv_replace_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_sendrecv_replace_c_f08_ mpi_sendrecv_replace_f08_large_ mpi_sendrecv_replace_c_f08ts_ mpi_sendrecv_replace_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (443, MPI_Session_attach_buffer, PMPI_Session_attach_buffer, [a0 a1 a2], [mpi_session_attach_buffer_ mpi_session_attach_buffer__ mpi_session_attach_buffer MPI_SESSION_ATTACH_BUFFER pmpi_session_attach_buffer_], [a0 a1 a2 a3], [mpi_session_attach_buffer_f08_], [mpi_session_attach_buffer_f08ts_], [a0 a1 a2 a3])
            (444, MPI_Session_attach_buffer_c, PMPI_Session_attach_buffer_c, [a0 a1 a2], [], [], [], [mpi_session_attach_buffer_c_f08_ mpi_session_attach_buffer_f08_large_ mpi_session_attach_buffer_c_f08ts_ mpi_session_attach_buffer_f08ts_large_], [a0 a1 a2 a3])
            (445, MPI_Session_call_errhandler, PMPI_Session_call_errhandler, [a0 a1], [mpi_session_call_errhandler_ mpi_session_call_errhandler__ mpi_session_call_errhandler MPI_SESSION_CALL_ERRHANDLER pmpi_session_call_errhandler_], [a0 a1 a2], [mpi_session_call_errhandler_f08_], [], [a0 a1 a2])
            (446, MPI_Session_create_errhandler, PMPI_Session_create_errhandler, [a0 a1], [mpi_session_create_errhandler_ mpi_session_create_errhandler__ mpi_session_create_errhandler MPI_SESSION_CREATE_ERRHANDLER pmpi_session_create_errhandler_], [a0 a1 a2], [mpi_session_create_errhandler_f08_], [], [a0 a1 a2])
            (447, MPI_Session_detach_buffer, PMPI_Session_detach_buffer, [a0 a1 a2], [mpi_session_detach_buffer_ mpi_session_detach_buffer__ mpi_session_detach_buffer MPI_SESSION_DETACH_BUFFER pmpi_session_detach_buffer_], [a0 a1 a2 a3], [mpi_session_detach_buffer_f08_], [], [a0 a1 a2 a3])
            (448, MPI_Session_detach_buffer_c, PMPI_Session_detach_buffer_c, [a0 a1 a2], [], [], [], [mpi_session_detach_buffer_c_f08_ mpi_session_detach_buffer_f08_large_], [a0 a1 a2 a3])
            (449, MPI_Session_finalize, PMPI_Session_finalize, [a0], [mpi_session_finalize_ mpi_session_finalize__ mpi_session_finalize MPI_SESSION_FINALIZE pmpi_session_finalize_], [a0 a1], [mpi_session_finalize_f08_], [], [a0 a1])
            (450, MPI_Session_flush_buffer, PMPI_Session_flush_buffer, [a0], [mpi_session_flush_buffer_ mpi_session_flush_buffer__ mpi_session_flush_buffer MPI_SESSION_FLUSH_BUFFER pmpi_session_flush_buffer_], [a0 a1], [mpi_session_flush_buffer_f08_], [], [a0 a1])
            (451, MPI_Session_get_errhandler, PMPI_Session_get_errhandler, [a0 a1], [mpi_session_get_errhandler_ mpi_session_get_errhandler__ mpi_session_get_errhandler MPI_SESSION_GET_ERRHANDLER pmpi_session_get_errhandler_], [a0 a1 a2], [mpi_session_get_errhandler_f08_], [], [a0 a1 a2])
            (452, MPI_Session_get_info, PMPI_Session_get_info, [a0 a1], [mpi_session_get_info_ mpi_session_get_info__ mpi_session_get_info MPI_SESSION_GET_INFO pmpi_session_get_info_], [a0 a1 a2], [mpi_session_get_info_f08_], [], [a0 a1 a2])
            (453, MPI_Session_get_nth_pset, PMPI_Session_get_nth_pset, [a0 a1 a2 a3 a4], [mpi_session_get_nth_pset_ mpi_session_get_nth_pset__ mpi_session_get_nth_pset MPI_SESSION_GET_NTH_PSET pmpi_session_get_nth_pset_], [a0 a1 a2 a3 a4 a5 a6], [mpi_session_get_nth_pset_f08_], [], [a0 a1 a2 a3 a4 a5 a6])
            (454, MPI_Session_get_num_psets, PMPI_Session_get_num_psets, [a0 a1 a2], [mpi_session_get_num_psets_ mpi_session_get_num_psets__ mpi_session_get_num_psets MPI_SESSION_GET_NUM_PSETS pmpi_session_get_num_psets_], [a0 a1 a2 a3], [mpi_session_get_num_psets_f08_], [], [a0 a1 a2 a3])
            (455, MPI_Session_get_pset_info, PMPI_Session_get_pset_info, [a0 a1 a2], [mpi_session_get_pset_info_ mpi_session_get_pset_info__ mpi_session_get_pset_info MPI_SESSION_GET_PSET_INFO pmpi_session_get_pset_info_], [a0 a1 a2 a3 a4], [mpi_session_get_pset_info_f08_], [], [a0 a1 a2 a3 a4])
            (456, MPI_Session_iflush_buffer, PMPI_Session_iflush_buffer, [a0 a1], [mpi_session_iflush_buffer_ mpi_session_iflush_buffer__ mpi_session_iflush_buffer MPI_SESSION_IFLUSH_BUFFER pmpi_session_iflush_buffer_], [a0 a1 a2], [mpi_session_iflush_buffer_f08_], [], [a0 a1 a2])
            (457, MPI_Session_init, PMPI_Session_init, [a0 a1 a2], [mpi_session_init_ mpi_session_init__ mpi_session_init MPI_SESSION_INIT pmpi_session_init_], [a0 a1 a2 a3], [mpi_session_init_f08_], [], [a0 a1 a2 a3])
            (458, MPI_Session_set_errhandler, PMPI_Session_set_errhandler, [a0 a1], [mpi_session_set_errhandler_ mpi_session_set_errhandler__ mpi_session_set_errhandler MPI_SESSION_SET_ERRHANDLER pmpi_session_set_errhandler_], [a0 a1 a2], [mpi_session_set_errhandler_f08_], [], [a0 a1 a2])
            (459, MPI_Ssend, PMPI_Ssend, [a0 a1 a2 a3 a4 a5], [mpi_ssend_ mpi_ssend__ mpi_ssend MPI_SSEND pmpi_ssend_], [a0 a1 a2 a3 a4 a5 a6], [mpi_ssend_f08_], [mpi_ssend_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (460, MPI_Ssend_c, PMPI_Ssend_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_ssend_c_f08_ mpi_ssend_f08_large_ mpi_ssend_c_f08ts_ mpi_ssend_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (461, MPI_Ssend_init, PMPI_Ssend_init, [a0 a1 a2 a3 a4 a5 a6], [mpi_ssend_init_ mpi_ssend_init__ mpi_ssend_init MPI_SSEND_INIT pmpi_ssend_init_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_ssend_init_f08_], [mpi_ssend_init_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (462, MPI_Ssend_init_c, PMPI_Ssend_init_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_ssend_init_c_f08_ mpi_ssend_init_f08_large_ mpi_ssend_init_c_f08ts_ mpi_ssend_init_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (463, MPI_Start, PMPI_Start, [a0], [mpi_start_ mpi_start__ mpi_start MPI_START pmpi_start_], [a0 a1], [mpi_start_f08_], [], [a0 a1])
            (464, MPI_Startall, PMPI_Startall, [a0 a1], [mpi_startall_ mpi_startall__ mpi_startall MPI_STARTALL pmpi_startall_], [a0 a1 a2], [mpi_startall_f08_], [], [a0 a1 a2])
            (465, MPI_Status_get_error, PMPI_Status_get_error, [a0 a1], [mpi_status_get_error_ mpi_status_get_error__ mpi_status_get_error MPI_STATUS_GET_ERROR pmpi_status_get_error_], [a0 a1 a2], [mpi_status_get_error_f08_], [], [a0 a1 a2])
            (466, MPI_Status_get_source, PMPI_Status_get_source, [a0 a1], [mpi_status_get_source_ mpi_status_get_source__ mpi_status_get_source MPI_STATUS_GET_SOURCE pmpi_status_get_source_], [a0 a1 a2], [mpi_status_get_source_f08_], [], [a0 a1 a2])
            (467, MPI_Status_get_tag, PMPI_Status_get_tag, [a0 a1], [mpi_status_get_tag_ mpi_status_get_tag__ mpi_status_get_tag MPI_STATUS_GET_TAG pmpi_status_get_tag_], [a0 a1 a2], [mpi_status_get_tag_f08_], [], [a0 a1 a2])
            (468, MPI_Status_set_cancelled, PMPI_Status_set_cancelled, [a0 a1], [mpi_status_set_cancelled_ mpi_status_set_cancelled__ mpi_status_set_cancelled MPI_STATUS_SET_CANCELLED pmpi_status_set_cancelled_], [a0 a1 a2], [mpi_status_set_cancelled_f08_], [], [a0 a1 a2])
            (469, MPI_Status_set_elements, PMPI_Status_set_elements, [a0 a1 a2], [mpi_status_set_elements_ mpi_status_set_elements__ mpi_status_set_elements MPI_STATUS_SET_ELEMENTS pmpi_status_set_elements_], [a0 a1 a2 a3], [mpi_status_set_elements_f08_], [], [a0 a1 a2 a3])
            (470, MPI_Status_set_elements_c, PMPI_Status_set_elements_c, [a0 a1 a2], [], [], [], [mpi_status_set_elements_c_f08_ mpi_status_set_elements_f08_large_], [a0 a1 a2 a3])
            (471, MPI_Status_set_elements_x, PMPI_Status_set_elements_x, [a0 a1 a2], [mpi_status_set_elements_x_ mpi_status_set_elements_x__ mpi_status_set_elements_x MPI_STATUS_SET_ELEMENTS_X pmpi_status_set_elements_x_], [a0 a1 a2 a3], [mpi_status_set_elements_x_f08_], [], [a0 a1 a2 a3])
            (472, MPI_Status_set_error, PMPI_Status_set_error, [a0 a1], [mpi_status_set_error_ mpi_status_set_error__ mpi_status_set_error MPI_STATUS_SET_ERROR pmpi_status_set_error_], [a0 a1 a2], [mpi_status_set_error_f08_], [], [a0 a1 a2])
            (473, MPI_Status_set_source, PMPI_Status_set_source, [a0 a1], [mpi_status_set_source_ mpi_status_set_source__ mpi_status_set_source MPI_STATUS_SET_SOURCE pmpi_status_set_source_], [a0 a1 a2], [mpi_status_set_source_f08_], [], [a0 a1 a2])
            (474, MPI_Status_set_tag, PMPI_Status_set_tag, [a0 a1], [mpi_status_set_tag_ mpi_status_set_tag__ mpi_status_set_tag MPI_STATUS_SET_TAG pmpi_status_set_tag_], [a0 a1 a2], [mpi_status_set_tag_f08_], [], [a0 a1 a2])
            (475, MPI_Test, PMPI_Test, [a0 a1 a2], [mpi_test_ mpi_test__ mpi_test MPI_TEST pmpi_test_], [a0 a1 a2 a3], [mpi_test_f08_], [], [a0 a1 a2 a3])
            (476, MPI_Test_cancelled, PMPI_Test_cancelled, [a0 a1], [mpi_test_cancelled_ mpi_test_cancelled__ mpi_test_cancelled MPI_TEST_CANCELLED pmpi_test_cancelled_], [a0 a1 a2], [mpi_test_cancelled_f08_], [], [a0 a1 a2])
            (477, MPI_Testall, PMPI_Testall, [a0 a1 a2 a3], [mpi_testall_ mpi_testall__ mpi_testall MPI_TESTALL pmpi_testall_], [a0 a1 a2 a3 a4], [mpi_testall_f08_], [], [a0 a1 a2 a3 a4])
            (478, MPI_Testany, PMPI_Testany, [a0 a1 a2 a3 a4], [mpi_testany_ mpi_testany__ mpi_testany MPI_TESTANY pmpi_testany_], [a0 a1 a2 a3 a4 a5], [mpi_testany_f08_], [], [a0 a1 a2 a3 a4 a5])
            (479, MPI_Testsome, PMPI_Testsome, [a0 a1 a2 a3 a4], [mpi_testsome_ mpi_testsome__ mpi_testsome MPI_TESTSOME pmpi_testsome_], [a0 a1 a2 a3 a4 a5], [mpi_testsome_f08_], [], [a0 a1 a2 a3 a4 a5])
            (480, MPI_Topo_test, PMPI_Topo_test, [a0 a1], [mpi_topo_test_ mpi_topo_test__ mpi_topo_test MPI_TOPO_TEST pmpi_topo_test_], [a0 a1 a2], [mpi_topo_test_f08_], [], [a0 a1 a2])
            (481, MPI_Type_commit, PMPI_Type_commit, [a0], [mpi_type_commit_ mpi_type_commit__ mpi_type_commit MPI_TYPE_COMMIT pmpi_type_commit_], [a0 a1], [mpi_type_commit_f08_], [], [a0 a1])
            (482, MPI_Type_contiguous, PMPI_Type_contiguous, [a0 a1 a2], [mpi_type_contiguous_ mpi_type_contiguous__ mpi_type_contiguous MPI_TYPE_CONTIGUOUS pmpi_type_contiguous_], [a0 a1 a2 a3], [mpi_type_contiguous_f08_], [], [a0 a1 a2 a3])
            (483, MPI_Type_contiguous_c, PMPI_Type_contiguous_c, [a0 a1 a2], [], [], [], [mpi_type_contiguous_c_f08_ mpi_type_contiguous_f08_large_], [a0 a1 a2 a3])
            (484, MPI_Type_create_darray, PMPI_Type_create_darray, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [mpi_type_create_darray_ mpi_type_create_darray__ mpi_type_create_darray MPI_TYPE_CREATE_DARRAY pmpi_type_create_darray_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10], [mpi_type_create_darray_f08_], [], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (485, MPI_Type_create_darray_c, PMPI_Type_create_darray_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9], [], [], [], [mpi_type_create_darray_c_f08_ mpi_type_create_darray_f08_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 a10])
            (486, MPI_Type_create_f90_complex, PMPI_Type_create_f90_complex, [a0 a1 a2], [mpi_type_create_f90_complex_ mpi_type_create_f90_complex__ mpi_type_create_f90_complex MPI_TYPE_CREATE_F90_COMPLEX pmpi_type_create_f90_complex_], [a0 a1 a2 a3], [mpi_type_create_f90_complex_f08_], [], [a0 a1 a2 a3])
            (487, MPI_Type_create_f90_integer, PMPI_Type_create_f90_integer, [a0 a1], [mpi_type_create_f90_integer_ mpi_type_create_f90_integer__ mpi_type_create_f90_integer MPI_TYPE_CREATE_F90_INTEGER pmpi_type_create_f90_integer_], [a0 a1 a2], [mpi_type_create_f90_integer_f08_], [], [a0 a1 a2])
            (488, MPI_Type_create_f90_real, PMPI_Type_create_f90_real, [a0 a1 a2], [mpi_type_create_f90_real_ mpi_type_create_f90_real__ mpi_type_create_f90_real MPI_TYPE_CREATE_F90_REAL pmpi_type_create_f90_real_], [a0 a1 a2 a3], [mpi_type_create_f90_real_f08_], [], [a0 a1 a2 a3])
            (489, MPI_Type_create_hindexed, PMPI_Type_create_hindexed, [a0 a1 a2 a3 a4], [mpi_type_create_hindexed_ mpi_type_create_hindexed__ mpi_type_create_hindexed MPI_TYPE_CREATE_HINDEXED pmpi_type_create_hindexed_], [a0 a1 a2 a3 a4 a5], [mpi_type_create_hindexed_f08_], [], [a0 a1 a2 a3 a4 a5])
            (490, MPI_Type_create_hindexed_block, PMPI_Type_create_hindexed_block, [a0 a1 a2 a3 a4], [mpi_type_create_hindexed_block_ mpi_type_create_hindexed_block__ mpi_type_create_hindexed_block MPI_TYPE_CREATE_HINDEXED_BLOCK pmpi_type_create_hindexed_block_], [a0 a1 a2 a3 a4 a5], [mpi_type_create_hindexed_block_f08_], [], [a0 a1 a2 a3 a4 a5])
            (491, MPI_Type_create_hindexed_block_c, PMPI_Type_create_hindexed_block_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_type_create_hindexed_block_c_f08_ mpi_type_create_hindexed_block_f08_large_], [a0 a1 a2 a3 a4 a5])
            (492, MPI_Type_create_hindexed_c, PMPI_Type_create_hindexed_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_type_create_hindexed_c_f08_ mpi_type_create_hindexed_f08_large_], [a0 a1 a2 a3 a4 a5])
            (493, MPI_Type_create_hvector, PMPI_Type_create_hvector, [a0 a1 a2 a3 a4], [mpi_type_create_hvector_ mpi_type_create_hvector__ mpi_type_create_hvector MPI_TYPE_CREATE_HVECTOR pmpi_type_create_hvector_], [a0 a1 a2 a3 a4 a5], [mpi_type_create_hvector_f08_], [], [a0 a1 a2 a3 a4 a5])
            (494, MPI_Type_create_hvector_c, PMPI_Type_create_hvector_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_type_create_hvector_c_f08_ mpi_type_create_hvector_f08_large_], [a0 a1 a2 a3 a4 a5])
            (495, MPI_Type_create_indexed_block, PMPI_Type_create_indexed_block, [a0 a1 a2 a3 a4], [mpi_type_create_indexed_block_ mpi_type_create_indexed_block__ mpi_type_create_indexed_block MPI_TYPE_CREATE_INDEXED_BLOCK pmpi_type_create_indexed_block_], [a0 a1 a2 a3 a4 a5], [mpi_type_create_indexed_block_f08_], [], [a0 a1 a2 a3 a4 a5])
            (496, MPI_Type_create_indexed_block_c, PMPI_Type_create_indexed_block_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_type_create_indexed_block_c_f08_ mpi_type_create_indexed_block_f08_large_], [a0 a1 a2 a3 a4 a5])
            (497, MPI_Type_create_keyval, PMPI_Type_create_keyval, [a0 a1 a2 a3], [mpi_type_create_keyval_ mpi_type_create_keyval__ mpi_type_create_keyval MPI_TYPE_CREATE_KEYVAL pmpi_type_create_keyval_], [a0 a1 a2 a3 a4], [mpi_type_create_keyval_f08_], [], [a0 a1 a2 a3 a4])
            (498, MPI_Type_create_resized, PMPI_Type_create_resized, [a0 a1 a2 a3], [mpi_type_create_resized_ mpi_type_create_resized__ mpi_type_create_resized MPI_TYPE_CREATE_RESIZED pmpi_type_create_resized_], [a0 a1 a2 a3 a4], [mpi_type_create_resized_f08_], [], [a0 a1 a2 a3 a4])
            (499, MPI_Type_create_resized_c, PMPI_Type_create_resized_c, [a0 a1 a2 a3], [], [], [], [mpi_type_create_resized_c_f08_ mpi_type_create_resized_f08_large_], [a0 a1 a2 a3 a4])
            (500, MPI_Type_create_struct, PMPI_Type_create_struct, [a0 a1 a2 a3 a4], [mpi_type_create_struct_ mpi_type_create_struct__ mpi_type_create_struct MPI_TYPE_CREATE_STRUCT pmpi_type_create_struct_], [a0 a1 a2 a3 a4 a5], [mpi_type_create_struct_f08_], [], [a0 a1 a2 a3 a4 a5])
            (501, MPI_Type_create_struct_c, PMPI_Type_create_struct_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_type_create_struct_c_f08_ mpi_type_create_struct_f08_large_], [a0 a1 a2 a3 a4 a5])
            (502, MPI_Type_create_subarray, PMPI_Type_create_subarray, [a0 a1 a2 a3 a4 a5 a6], [mpi_type_create_subarray_ mpi_type_create_subarray__ mpi_type_create_subarray MPI_TYPE_CREATE_SUBARRAY pmpi_type_create_subarray_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_type_create_subarray_f08_], [], [a0 a1 a2 a3 a4 a5 a6 a7])
            (503, MPI_Type_create_subarray_c, PMPI_Type_create_subarray_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_type_create_subarray_c_f08_ mpi_type_create_subarray_f08_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (504, MPI_Type_delete_attr, PMPI_Type_delete_attr, [a0 a1], [mpi_type_delete_attr_ mpi_type_delete_attr__ mpi_type_delete_attr MPI_TYPE_DELETE_ATTR pmpi_type_delete_attr_], [a0 a1 a2], [mpi_type_delete_attr_f08_], [], [a0 a1 a2])
            (505, MPI_Type_dup, PMPI_Type_dup, [a0 a1], [mpi_type_dup_ mpi_type_dup__ mpi_type_dup MPI_TYPE_DUP pmpi_type_dup_], [a0 a1 a2], [mpi_type_dup_f08_], [], [a0 a1 a2])
            (506, MPI_Type_extent, PMPI_Type_extent, [a0 a1], [mpi_type_extent_ mpi_type_extent__ mpi_type_extent MPI_TYPE_EXTENT pmpi_type_extent_], [a0 a1 a2], [], [], [])
            (507, MPI_Type_free, PMPI_Type_free, [a0], [mpi_type_free_ mpi_type_free__ mpi_type_free MPI_TYPE_FREE pmpi_type_free_], [a0 a1], [mpi_type_free_f08_], [], [a0 a1])
            (508, MPI_Type_free_keyval, PMPI_Type_free_keyval, [a0], [mpi_type_free_keyval_ mpi_type_free_keyval__ mpi_type_free_keyval MPI_TYPE_FREE_KEYVAL pmpi_type_free_keyval_], [a0 a1], [mpi_type_free_keyval_f08_], [], [a0 a1])
            (509, MPI_Type_get_attr, PMPI_Type_get_attr, [a0 a1 a2 a3], [mpi_type_get_attr_ mpi_type_get_attr__ mpi_type_get_attr MPI_TYPE_GET_ATTR pmpi_type_get_attr_], [a0 a1 a2 a3 a4], [mpi_type_get_attr_f08_], [], [a0 a1 a2 a3 a4])
            (510, MPI_Type_get_contents, PMPI_Type_get_contents, [a0 a1 a2 a3 a4 a5 a6], [mpi_type_get_contents_ mpi_type_get_contents__ mpi_type_get_contents MPI_TYPE_GET_CONTENTS pmpi_type_get_contents_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_type_get_contents_f08_], [], [a0 a1 a2 a3 a4 a5 a6 a7])
            (511, MPI_Type_get_contents_c, PMPI_Type_get_contents_c, [a0 a1 a2 a3 a4 a5 a6 a7 a8], [], [], [], [mpi_type_get_contents_c_f08_ mpi_type_get_contents_f08_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8 a9])
            (512, MPI_Type_get_envelope, PMPI_Type_get_envelope, [a0 a1 a2 a3 a4], [mpi_type_get_envelope_ mpi_type_get_envelope__ mpi_type_get_envelope MPI_TYPE_GET_ENVELOPE pmpi_type_get_envelope_], [a0 a1 a2 a3 a4 a5], [mpi_type_get_envelope_f08_], [], [a0 a1 a2 a3 a4 a5])
            (513, MPI_Type_get_envelope_c, PMPI_Type_get_envelope_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_type_get_envelope_c_f08_ mpi_type_get_envelope_f08_large_], [a0 a1 a2 a3 a4 a5 a6])
            (514, MPI_Type_get_extent, PMPI_Type_get_extent, [a0 a1 a2], [mpi_type_get_extent_ mpi_type_get_extent__ mpi_type_get_extent MPI_TYPE_GET_EXTENT pmpi_type_get_extent_], [a0 a1 a2 a3], [mpi_type_get_extent_f08_], [], [a0 a1 a2 a3])
            (515, MPI_Type_get_extent_c, PMPI_Type_get_extent_c, [a0 a1 a2], [], [], [], [mpi_type_get_extent_c_f08_ mpi_type_get_extent_f08_large_], [a0 a1 a2 a3])
            (516, MPI_Type_get_extent_x, PMPI_Type_get_extent_x, [a0 a1 a2], [mpi_type_get_extent_x_ mpi_type_get_extent_x__ mpi_type_get_extent_x MPI_TYPE_GET_EXTENT_X pmpi_type_get_extent_x_], [a0 a1 a2 a3], [mpi_type_get_extent_x_f08_], [], [a0 a1 a2 a3])
            (517, MPI_Type_get_name, PMPI_Type_get_name, [a0 a1 a2], [mpi_type_get_name_ mpi_type_get_name__ mpi_type_get_name MPI_TYPE_GET_NAME pmpi_type_get_name_], [a0 a1 a2 a3 a4], [mpi_type_get_name_f08_], [], [a0 a1 a2 a3 a4])
            (518, MPI_Type_get_true_extent, PMPI_Type_get_true_extent, [a0 a1 a2], [mpi_type_get_true_extent_ mpi_type_get_true_extent__ mpi_type_get_true_extent MPI_TYPE_GET_TRUE_EXTENT pmpi_type_get_true_extent_], [a0 a1 a2 a3], [mpi_type_get_true_extent_f08_], [], [a0 a1 a2 a3])
            (519, MPI_Type_get_true_extent_c, PMPI_Type_get_true_extent_c, [a0 a1 a2], [], [], [], [mpi_type_get_true_extent_c_f08_ mpi_type_get_true_extent_f08_large_], [a0 a1 a2 a3])
            (520, MPI_Type_get_true_extent_x, PMPI_Type_get_true_extent_x, [a0 a1 a2], [mpi_type_get_true_extent_x_ mpi_type_get_true_extent_x__ mpi_type_get_true_extent_x MPI_TYPE_GET_TRUE_EXTENT_X pmpi_type_get_true_extent_x_], [a0 a1 a2 a3], [mpi_type_get_true_extent_x_f08_], [], [a0 a1 a2 a3])
            (521, MPI_Type_get_value_index, PMPI_Type_get_value_index, [a0 a1 a2], [mpi_type_get_value_index_ mpi_type_get_value_index__ mpi_type_get_value_index MPI_TYPE_GET_VALUE_INDEX pmpi_type_get_value_index_], [a0 a1 a2 a3], [mpi_type_get_value_index_f08_], [], [a0 a1 a2 a3])
            (522, MPI_Type_hindexed, PMPI_Type_hindexed, [a0 a1 a2 a3 a4], [mpi_type_hindexed_ mpi_type_hindexed__ mpi_type_hindexed MPI_TYPE_HINDEXED pmpi_type_hindexed_], [a0 a1 a2 a3 a4 a5], [], [], [])
            (523, MPI_Type_hvector, PMPI_Type_hvector, [a0 a1 a2 a3 a4], [mpi_type_hvector_ mpi_type_hvector__ mpi_type_hvector MPI_TYPE_HVECTOR pmpi_type_hvector_], [a0 a1 a2 a3 a4 a5], [], [], [])
            (524, MPI_Type_indexed, PMPI_Type_indexed, [a0 a1 a2 a3 a4], [mpi_type_indexed_ mpi_type_indexed__ mpi_type_indexed MPI_TYPE_INDEXED pmpi_type_indexed_], [a0 a1 a2 a3 a4 a5], [mpi_type_indexed_f08_], [], [a0 a1 a2 a3 a4 a5])
            (525, MPI_Type_indexed_c, PMPI_Type_indexed_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_type_indexed_c_f08_ mpi_type_indexed_f08_large_], [a0 a1 a2 a3 a4 a5])
            (526, MPI_Type_lb, PMPI_Type_lb, [a0 a1], [mpi_type_lb_ mpi_type_lb__ mpi_type_lb MPI_TYPE_LB pmpi_type_lb_], [a0 a1 a2], [], [], [])
            (527, MPI_Type_match_size, PMPI_Type_match_size, [a0 a1 a2], [mpi_type_match_size_ mpi_type_match_size__ mpi_type_match_size MPI_TYPE_MATCH_SIZE pmpi_type_match_size_], [a0 a1 a2 a3], [mpi_type_match_size_f08_], [], [a0 a1 a2 a3])
            (528, MPI_Type_set_attr, PMPI_Type_set_attr, [a0 a1 a2], [mpi_type_set_attr_ mpi_type_set_attr__ mpi_type_set_attr MPI_TYPE_SET_ATTR pmpi_type_set_attr_], [a0 a1 a2 a3], [mpi_type_set_attr_f08_], [], [a0 a1 a2 a3])
            (529, MPI_Type_set_name, PMPI_Type_set_name, [a0 a1], [mpi_type_set_name_ mpi_type_set_name__ mpi_type_set_name MPI_TYPE_SET_NAME pmpi_type_set_name_], [a0 a1 a2 a3], [mpi_type_set_name_f08_], [], [a0 a1 a2 a3])
            (530, MPI_Type_size, PMPI_Type_size, [a0 a1], [mpi_type_size_ mpi_type_size__ mpi_type_size MPI_TYPE_SIZE pmpi_type_size_], [a0 a1 a2], [mpi_type_size_f08_], [], [a0 a1 a2])
            (531, MPI_Type_size_c, PMPI_Type_size_c, [a0 a1], [], [], [], [mpi_type_size_c_f08_ mpi_type_size_f08_large_], [a0 a1 a2])
            (532, MPI_Type_size_x, PMPI_Type_size_x, [a0 a1], [mpi_type_size_x_ mpi_type_size_x__ mpi_type_size_x MPI_TYPE_SIZE_X pmpi_type_size_x_], [a0 a1 a2], [mpi_type_size_x_f08_], [], [a0 a1 a2])
            (533, MPI_Type_struct, PMPI_Type_struct, [a0 a1 a2 a3 a4], [mpi_type_struct_ mpi_type_struct__ mpi_type_struct MPI_TYPE_STRUCT pmpi_type_struct_], [a0 a1 a2 a3 a4 a5], [], [], [])
            (534, MPI_Type_ub, PMPI_Type_ub, [a0 a1], [mpi_type_ub_ mpi_type_ub__ mpi_type_ub MPI_TYPE_UB pmpi_type_ub_], [a0 a1 a2], [], [], [])
            (535, MPI_Type_vector, PMPI_Type_vector, [a0 a1 a2 a3 a4], [mpi_type_vector_ mpi_type_vector__ mpi_type_vector MPI_TYPE_VECTOR pmpi_type_vector_], [a0 a1 a2 a3 a4 a5], [mpi_type_vector_f08_], [], [a0 a1 a2 a3 a4 a5])
            (536, MPI_Type_vector_c, PMPI_Type_vector_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_type_vector_c_f08_ mpi_type_vector_f08_large_], [a0 a1 a2 a3 a4 a5])
            (537, MPI_Unpack, PMPI_Unpack, [a0 a1 a2 a3 a4 a5 a6], [mpi_unpack_ mpi_unpack__ mpi_unpack MPI_UNPACK pmpi_unpack_], [a0 a1 a2 a3 a4 a5 a6 a7], [mpi_unpack_f08_], [mpi_unpack_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (538, MPI_Unpack_c, PMPI_Unpack_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_unpack_c_f08_ mpi_unpack_f08_large_ mpi_unpack_c_f08ts_ mpi_unpack_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7])
            (539, MPI_Unpack_external, PMPI_Unpack_external, [a0 a1 a2 a3 a4 a5 a6], [mpi_unpack_external_ mpi_unpack_external__ mpi_unpack_external MPI_UNPACK_EXTERNAL pmpi_unpack_external_], [a0 a1 a2 a3 a4 a5 a6 a7 a8], [mpi_unpack_external_f08_], [mpi_unpack_external_f08ts_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (540, MPI_Unpack_external_c, PMPI_Unpack_external_c, [a0 a1 a2 a3 a4 a5 a6], [], [], [], [mpi_unpack_external_c_f08_ mpi_unpack_external_f08_large_ mpi_unpack_external_c_f08ts_ mpi_unpack_external_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6 a7 a8])
            (541, MPI_Unpublish_name, PMPI_Unpublish_name, [a0 a1 a2], [mpi_unpublish_name_ mpi_unpublish_name__ mpi_unpublish_name MPI_UNPUBLISH_NAME pmpi_unpublish_name_], [a0 a1 a2 a3 a4 a5], [mpi_unpublish_name_f08_], [], [a0 a1 a2 a3 a4 a5])
            (542, MPI_Wait, PMPI_Wait, [a0 a1], [mpi_wait_ mpi_wait__ mpi_wait MPI_WAIT pmpi_wait_], [a0 a1 a2], [mpi_wait_f08_], [], [a0 a1 a2])
            (543, MPI_Waitall, PMPI_Waitall, [a0 a1 a2], [mpi_waitall_ mpi_waitall__ mpi_waitall MPI_WAITALL pmpi_waitall_], [a0 a1 a2 a3], [mpi_waitall_f08_], [], [a0 a1 a2 a3])
            (544, MPI_Waitany, PMPI_Waitany, [a0 a1 a2 a3], [mpi_waitany_ mpi_waitany__ mpi_waitany MPI_WAITANY pmpi_waitany_], [a0 a1 a2 a3 a4], [mpi_waitany_f08_], [], [a0 a1 a2 a3 a4])
            (545, MPI_Waitsome, PMPI_Waitsome, [a0 a1 a2 a3 a4], [mpi_waitsome_ mpi_waitsome__ mpi_waitsome MPI_WAITSOME pmpi_waitsome_], [a0 a1 a2 a3 a4 a5], [mpi_waitsome_f08_], [], [a0 a1 a2 a3 a4 a5])
            (546, MPI_Win_allocate, PMPI_Win_allocate, [a0 a1 a2 a3 a4 a5], [mpi_win_allocate_ mpi_win_allocate__ mpi_win_allocate MPI_WIN_ALLOCATE pmpi_win_allocate_], [a0 a1 a2 a3 a4 a5 a6], [mpi_win_allocate_f08_], [], [a0 a1 a2 a3 a4 a5 a6])
            (547, MPI_Win_allocate_c, PMPI_Win_allocate_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_win_allocate_c_f08_ mpi_win_allocate_f08_large_], [a0 a1 a2 a3 a4 a5 a6])
            (548, MPI_Win_allocate_shared, PMPI_Win_allocate_shared, [a0 a1 a2 a3 a4 a5], [mpi_win_allocate_shared_ mpi_win_allocate_shared__ mpi_win_allocate_shared MPI_WIN_ALLOCATE_SHARED pmpi_win_allocate_shared_], [a0 a1 a2 a3 a4 a5 a6], [mpi_win_allocate_shared_f08_], [], [a0 a1 a2 a3 a4 a5 a6])
            (549, MPI_Win_allocate_shared_c, PMPI_Win_allocate_shared_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_win_allocate_shared_c_f08_ mpi_win_allocate_shared_f08_large_], [a0 a1 a2 a3 a4 a5 a6])
            (550, MPI_Win_attach, PMPI_Win_attach, [a0 a1 a2], [mpi_win_attach_ mpi_win_attach__ mpi_win_attach MPI_WIN_ATTACH pmpi_win_attach_], [a0 a1 a2 a3], [mpi_win_attach_f08_], [mpi_win_attach_f08ts_], [a0 a1 a2 a3])
            (551, MPI_Win_call_errhandler, PMPI_Win_call_errhandler, [a0 a1], [mpi_win_call_errhandler_ mpi_win_call_errhandler__ mpi_win_call_errhandler MPI_WIN_CALL_ERRHANDLER pmpi_win_call_errhandler_], [a0 a1 a2], [mpi_win_call_errhandler_f08_], [], [a0 a1 a2])
            (552, MPI_Win_complete, PMPI_Win_complete, [a0], [mpi_win_complete_ mpi_win_complete__ mpi_win_complete MPI_WIN_COMPLETE pmpi_win_complete_], [a0 a1], [mpi_win_complete_f08_], [], [a0 a1])
            (553, MPI_Win_create, PMPI_Win_create, [a0 a1 a2 a3 a4 a5], [mpi_win_create_ mpi_win_create__ mpi_win_create MPI_WIN_CREATE pmpi_win_create_], [a0 a1 a2 a3 a4 a5 a6], [mpi_win_create_f08_], [mpi_win_create_f08ts_], [a0 a1 a2 a3 a4 a5 a6])
            (554, MPI_Win_create_c, PMPI_Win_create_c, [a0 a1 a2 a3 a4 a5], [], [], [], [mpi_win_create_c_f08_ mpi_win_create_f08_large_ mpi_win_create_c_f08ts_ mpi_win_create_f08ts_large_], [a0 a1 a2 a3 a4 a5 a6])
            (555, MPI_Win_create_dynamic, PMPI_Win_create_dynamic, [a0 a1 a2], [mpi_win_create_dynamic_ mpi_win_create_dynamic__ mpi_win_create_dynamic MPI_WIN_CREATE_DYNAMIC pmpi_win_create_dynamic_], [a0 a1 a2 a3], [mpi_win_create_dynamic_f08_], [], [a0 a1 a2 a3])
            (556, MPI_Win_create_errhandler, PMPI_Win_create_errhandler, [a0 a1], [mpi_win_create_errhandler_ mpi_win_create_errhandler__ mpi_win_create_errhandler MPI_WIN_CREATE_ERRHANDLER pmpi_win_create_errhandler_], [a0 a1 a2], [mpi_win_create_errhandler_f08_], [], [a0 a1 a2])
            (557, MPI_Win_create_keyval, PMPI_Win_create_keyval, [a0 a1 a2 a3], [mpi_win_create_keyval_ mpi_win_create_keyval__ mpi_win_create_keyval MPI_WIN_CREATE_KEYVAL pmpi_win_create_keyval_], [a0 a1 a2 a3 a4], [mpi_win_create_keyval_f08_], [], [a0 a1 a2 a3 a4])
            (558, MPI_Win_delete_attr, PMPI_Win_delete_attr, [a0 a1], [mpi_win_delete_attr_ mpi_win_delete_attr__ mpi_win_delete_attr MPI_WIN_DELETE_ATTR pmpi_win_delete_attr_], [a0 a1 a2], [mpi_win_delete_attr_f08_], [], [a0 a1 a2])
            (559, MPI_Win_detach, PMPI_Win_detach, [a0 a1], [mpi_win_detach_ mpi_win_detach__ mpi_win_detach MPI_WIN_DETACH pmpi_win_detach_], [a0 a1 a2], [mpi_win_detach_f08_], [mpi_win_detach_f08ts_], [a0 a1 a2])
            (560, MPI_Win_fence, PMPI_Win_fence, [a0 a1], [mpi_win_fence_ mpi_win_fence__ mpi_win_fence MPI_WIN_FENCE pmpi_win_fence_], [a0 a1 a2], [mpi_win_fence_f08_], [], [a0 a1 a2])
            (561, MPI_Win_flush, PMPI_Win_flush, [a0 a1], [mpi_win_flush_ mpi_win_flush__ mpi_win_flush MPI_WIN_FLUSH pmpi_win_flush_], [a0 a1 a2], [mpi_win_flush_f08_], [], [a0 a1 a2])
            (562, MPI_Win_flush_all, PMPI_Win_flush_all, [a0], [mpi_win_flush_all_ mpi_win_flush_all__ mpi_win_flush_all MPI_WIN_FLUSH_ALL pmpi_win_flush_all_], [a0 a1], [mpi_win_flush_all_f08_], [], [a0 a1])
            (563, MPI_Win_flush_local, PMPI_Win_flush_local, [a0 a1], [mpi_win_flush_local_ mpi_win_flush_local__ mpi_win_flush_local MPI_WIN_FLUSH_LOCAL pmpi_win_flush_local_], [a0 a1 a2], [mpi_win_flush_local_f08_], [], [a0 a1 a2])
            (564, MPI_Win_flush_local_all, PMPI_Win_flush_local_all, [a0], [mpi_win_flush_local_all_ mpi_win_flush_local_all__ mpi_win_flush_local_all MPI_WIN_FLUSH_LOCAL_ALL pmpi_win_flush_local_all_], [a0 a1], [mpi_win_flush_local_all_f08_], [], [a0 a1])
            (565, MPI_Win_free, PMPI_Win_free, [a0], [mpi_win_free_ mpi_win_free__ mpi_win_free MPI_WIN_FREE pmpi_win_free_], [a0 a1], [mpi_win_free_f08_], [], [a0 a1])
            (566, MPI_Win_free_keyval, PMPI_Win_free_keyval, [a0], [mpi_win_free_keyval_ mpi_win_free_keyval__ mpi_win_free_keyval MPI_WIN_FREE_KEYVAL pmpi_win_free_keyval_], [a0 a1], [mpi_win_free_keyval_f08_], [], [a0 a1])
            (567, MPI_Win_get_attr, PMPI_Win_get_attr, [a0 a1 a2 a3], [mpi_win_get_attr_ mpi_win_get_attr__ mpi_win_get_attr MPI_WIN_GET_ATTR pmpi_win_get_attr_], [a0 a1 a2 a3 a4], [mpi_win_get_attr_f08_], [], [a0 a1 a2 a3 a4])
            (568, MPI_Win_get_errhandler, PMPI_Win_get_errhandler, [a0 a1], [mpi_win_get_errhandler_ mpi_win_get_errhandler__ mpi_win_get_errhandler MPI_WIN_GET_ERRHANDLER pmpi_win_get_errhandler_], [a0 a1 a2], [mpi_win_get_errhandler_f08_], [], [a0 a1 a2])
            (569, MPI_Win_get_group, PMPI_Win_get_group, [a0 a1], [mpi_win_get_group_ mpi_win_get_group__ mpi_win_get_group MPI_WIN_GET_GROUP pmpi_win_get_group_], [a0 a1 a2], [mpi_win_get_group_f08_], [], [a0 a1 a2])
            (570, MPI_Win_get_info, PMPI_Win_get_info, [a0 a1], [mpi_win_get_info_ mpi_win_get_info__ mpi_win_get_info MPI_WIN_GET_INFO pmpi_win_get_info_], [a0 a1 a2], [mpi_win_get_info_f08_], [], [a0 a1 a2])
            (571, MPI_Win_get_name, PMPI_Win_get_name, [a0 a1 a2], [mpi_win_get_name_ mpi_win_get_name__ mpi_win_get_name MPI_WIN_GET_NAME pmpi_win_get_name_], [a0 a1 a2 a3 a4], [mpi_win_get_name_f08_], [], [a0 a1 a2 a3 a4])
            (572, MPI_Win_lock, PMPI_Win_lock, [a0 a1 a2 a3], [mpi_win_lock_ mpi_win_lock__ mpi_win_lock MPI_WIN_LOCK pmpi_win_lock_], [a0 a1 a2 a3 a4], [mpi_win_lock_f08_], [], [a0 a1 a2 a3 a4])
            (573, MPI_Win_lock_all, PMPI_Win_lock_all, [a0 a1], [mpi_win_lock_all_ mpi_win_lock_all__ mpi_win_lock_all MPI_WIN_LOCK_ALL pmpi_win_lock_all_], [a0 a1 a2], [mpi_win_lock_all_f08_], [], [a0 a1 a2])
            (574, MPI_Win_post, PMPI_Win_post, [a0 a1 a2], [mpi_win_post_ mpi_win_post__ mpi_win_post MPI_WIN_POST pmpi_win_post_], [a0 a1 a2 a3], [mpi_win_post_f08_], [], [a0 a1 a2 a3])
            (575, MPI_Win_set_attr, PMPI_Win_set_attr, [a0 a1 a2], [mpi_win_set_attr_ mpi_win_set_attr__ mpi_win_set_attr MPI_WIN_SET_ATTR pmpi_win_set_attr_], [a0 a1 a2 a3], [mpi_win_set_attr_f08_], [], [a0 a1 a2 a3])
            (576, MPI_Win_set_errhandler, PMPI_Win_set_errhandler, [a0 a1], [mpi_win_set_errhandler_ mpi_win_set_errhandler__ mpi_win_set_errhandler MPI_WIN_SET_ERRHANDLER pmpi_win_set_errhandler_], [a0 a1 a2], [mpi_win_set_errhandler_f08_], [], [a0 a1 a2])
            (577, MPI_Win_set_info, PMPI_Win_set_info, [a0 a1], [mpi_win_set_info_ mpi_win_set_info__ mpi_win_set_info MPI_WIN_SET_INFO pmpi_win_set_info_], [a0 a1 a2], [mpi_win_set_info_f08_], [], [a0 a1 a2])
            (578, MPI_Win_set_name, PMPI_Win_set_name, [a0 a1], [mpi_win_set_name_ mpi_win_set_name__ mpi_win_set_name MPI_WIN_SET_NAME pmpi_win_set_name_], [a0 a1 a2 a3], [mpi_win_set_name_f08_], [], [a0 a1 a2 a3])
            (579, MPI_Win_shared_query, PMPI_Win_shared_query, [a0 a1 a2 a3 a4], [mpi_win_shared_query_ mpi_win_shared_query__ mpi_win_shared_query MPI_WIN_SHARED_QUERY pmpi_win_shared_query_], [a0 a1 a2 a3 a4 a5], [mpi_win_shared_query_f08_], [], [a0 a1 a2 a3 a4 a5])
            (580, MPI_Win_shared_query_c, PMPI_Win_shared_query_c, [a0 a1 a2 a3 a4], [], [], [], [mpi_win_shared_query_c_f08_ mpi_win_shared_query_f08_large_], [a0 a1 a2 a3 a4 a5])
            (581, MPI_Win_start, PMPI_Win_start, [a0 a1 a2], [mpi_win_start_ mpi_win_start__ mpi_win_start MPI_WIN_START pmpi_win_start_], [a0 a1 a2 a3], [mpi_win_start_f08_], [], [a0 a1 a2 a3])
            (582, MPI_Win_sync, PMPI_Win_sync, [a0], [mpi_win_sync_ mpi_win_sync__ mpi_win_sync MPI_WIN_SYNC pmpi_win_sync_], [a0 a1], [mpi_win_sync_f08_], [], [a0 a1])
            (583, MPI_Win_test, PMPI_Win_test, [a0 a1], [mpi_win_test_ mpi_win_test__ mpi_win_test MPI_WIN_TEST pmpi_win_test_], [a0 a1 a2], [mpi_win_test_f08_], [], [a0 a1 a2])
            (584, MPI_Win_unlock, PMPI_Win_unlock, [a0 a1], [mpi_win_unlock_ mpi_win_unlock__ mpi_win_unlock MPI_WIN_UNLOCK pmpi_win_unlock_], [a0 a1 a2], [mpi_win_unlock_f08_], [], [a0 a1 a2])
            (585, MPI_Win_unlock_all, PMPI_Win_unlock_all, [a0], [mpi_win_unlock_all_ mpi_win_unlock_all__ mpi_win_unlock_all MPI_WIN_UNLOCK_ALL pmpi_win_unlock_all_], [a0 a1], [mpi_win_unlock_all_f08_], [], [a0 a1])
            (586, MPI_Win_wait, PMPI_Win_wait, [a0], [mpi_win_wait_ mpi_win_wait__ mpi_win_wait MPI_WIN_WAIT pmpi_win_wait_], [a0 a1], [mpi_win_wait_f08_], [], [a0 a1])
        }
    };
}
