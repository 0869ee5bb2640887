"""Test that every test is collected, and that a skipped test fails."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LEFT_OUT = {
    "test_skipped.py": "import pytest\n@pytest.mark.skip\ndef test_one(): ...",
    "test_xfailed.py": "import pytest\n@pytest.mark.xfail\ndef test_one(): assert False",
    "test_module.py": "import pytest\npytest.skip('not here', allow_module_level=True)",
}


def test_every_test_file_is_one_that_pytest_collects(request: pytest.FixtureRequest) -> None:
    """A file with tests is under `testpaths`, with a name that pytest collects."""
    folders = [ROOT / folder for folder in request.config.getini("testpaths")]
    sources = [
        path
        for path in ROOT.rglob("*.py")
        if not any(part.startswith((".", "_")) for part in path.relative_to(ROOT).parts)
        and not path.is_relative_to(ROOT / "mutants")  # copies that `make mutants` leaves
        and "\ndef test_" in path.read_text("utf-8")
    ]
    assert Path(__file__) in sources
    for path in sources:
        assert path.match("test_*.py")
        assert any(path.is_relative_to(folder) for folder in folders)


def test_what_is_left_out_fails(tmp_path: Path) -> None:
    for name, source in LEFT_OUT.items():
        (tmp_path / name).write_text(source)
    options = ["-p", "conftest", "-p", "no:cacheprovider", "--continue-on-collection-errors", "-rN"]
    command = [sys.executable, "-m", "pytest", *options, tmp_path]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode
    assert "1 failed, 2 errors" in run.stdout
    assert run.stdout.count("no test may be left out") == 3


def test_of_the_processes_that_share_the_tests_one_gets_all_of_a_file(tmp_path: Path) -> None:
    names = ["test_one.py", "test_two.py"]
    for name in names:
        source = "import pytest\n@pytest.mark.parametrize('i', range(4))\ndef test(i): ..."
        (tmp_path / name).write_text(source)
    options = ["-p", "conftest", "-p", "no:cacheprovider", "-v", "-n2", "--dist=loadgroup"]
    command = [sys.executable, "-m", "pytest", *options, tmp_path]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    ran = re.findall(r"\[(gw\d)\].* PASSED .*(test_\w+\.py)::", run.stdout)
    assert len(ran) == 8
    assert len(set(ran)) == len(names)
