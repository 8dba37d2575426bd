//! A machine of AArch64, as far as programs see: QEMU in a namespace in which the kernel gives it
//! every program of that machine, so that launchers, the command and MPI programs start each other
//! as they do there; and Debian's MPIs of it (`scripts/setup package`).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::mpi::Mpi;
use crate::common::{inapplicable, missing, process, workspace};
use crate::installed::{clean, output};

/// Mounts what holds for this namespace alone: libraries of that machine beside those of this one,
/// and the emulator for ELF files, executable or position-independent, of machine 183. Then it
/// becomes the command behind the first word, which is where all that lies.
const SCRIPT: &str = r#"mount -t binfmt_misc none /proc/sys/fs/binfmt_misc &&
mount -t overlay none -o "lowerdir=$0/lib:$0/usr/lib:/usr/lib" /usr/lib &&
printf %s ':aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:'"$0/usr/bin/qemu-aarch64-static:F" \
    >/proc/sys/fs/binfmt_misc/register || exit 90
exec "$@""#;

/// Where `scripts/setup package` unpacks emulator and libraries.
pub struct Machine {
    root: PathBuf,
}

impl Machine {
    /// Returns it if it can be had here; says why not.
    pub fn here() -> Option<Machine> {
        let root = workspace().join("target/packager/aarch64");
        if !root.join("usr/bin/qemu-aarch64-static").is_file() {
            missing("programs of AArch64: no target/packager/aarch64 (scripts/setup package)");
            return None;
        }
        let root = root.canonicalize().unwrap();
        let machine = Machine { root };
        if process::run(&mut machine.command("true", Path::new("/"))).code != 0 {
            inapplicable(
                "programs of AArch64: no namespace has a binfmt_misc of its own (since Linux 6.7)",
            );
            return None;
        }
        Some(machine)
    }

    /// Returns a command that runs there, in an environment that holds nothing else.
    pub fn command(&self, program: impl AsRef<OsStr>, home: &Path) -> Command {
        let mut command = clean("unshare", home);
        command
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", SCRIPT])
            .arg(&self.root)
            .arg(program)
            // QEMU 7.2 has no process_vm_readv, with which Open MPI copies long messages.
            .env("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
        command
    }

    /// Compiles a program of `examples/` or `tests/mpi` with an MPI of that machine.
    #[track_caller]
    pub fn compile(&self, mpi: &Mpi, source: &str, folder: &Path) -> PathBuf {
        let libraries = self.root.join("usr/lib/aarch64-linux-gnu");
        let (headers, library) = match mpi.suffix {
            "openmpi" => (libraries.join("openmpi/include"), "-l:libmpi.so.40"),
            _ => (
                self.root.join("usr/include/aarch64-linux-gnu/mpich"),
                "-l:libmpich.so.12",
            ),
        };
        let source = workspace().join(source);
        let program = folder.join(source.file_stem().unwrap());
        let mut zig = Command::new(workspace().join("target/packager/bin/python-zig"));
        zig.args(["cc", "-target", "aarch64-linux-gnu.2.36", "-g", "-O1"])
            .args(["-fno-sanitize=all", "-Wl,--allow-shlib-undefined"])
            .arg("-I")
            .arg(headers)
            .arg("-L")
            .arg(&libraries)
            .arg(&source)
            .args([library, "-lm", "-o"])
            .arg(&program);
        output(&mut zig);
        program
    }
}
