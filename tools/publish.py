"""Build the site and its archive for a static host: `python -m tools.publish`.

The environment variable SITE_URL is its address, if `url:` in _config.yml is empty.
"""

import shutil

from tools.archive import ROOT, archive
from tools.build import build
from tools.serve import SITE


def main() -> None:
    """Build archive and site, without files of earlier builds."""
    copy = archive()
    shutil.rmtree(SITE.parent, ignore_errors=True)
    build(ROOT, ROOT, OFFLINE_COPY=str(copy))
    print(f"Upload what is in {SITE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
