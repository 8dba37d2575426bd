# Not built here: packaging/spack/mpiscope/package.py, as there is no Spack; its text is checked by Python alone.
#
# A folder for `spack repo add` holds this in packages/mpiscope. `make package` writes it with the
# version and checksum of the vendored tarball into target/package/recipes; Spack finds the tarball
# in a mirror, or beside the recipe.
import os

from spack.package import *


class Mpiscope(Package):
    """Observes MPI programs on one trustworthy time line: traces, wait states, races, replay."""

    url = "file://{0}/mpiscope-@VERSION@-vendored.tar.gz".format(os.path.dirname(__file__))

    license("MIT OR Apache-2.0")

    version("@VERSION@", sha256="@SHA256@")

    depends_on("rust@@RUST@:", type="build")
    depends_on("c", type="build")
    depends_on("gmake", type="build")

    # It loads whatever MPI the observed program has, and is built with none.

    def install(self, spec, prefix):
        make("install", "PREFIX={0}".format(prefix))
