//! Has the program find the MPI that it was built for.

fn main() {
    println!("cargo:rerun-if-env-changed=MPI_LIBRARIES");
    if let Ok(folder) = std::env::var("MPI_LIBRARIES") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
}
