"""What the package says of runs is what `mpiscope info` and `analyze` say, and PyPI's `otf2` reads.

Run by `cargo test -p mpiscope --test python`, which names the command in MPISCOPE.
"""

import json
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import warnings

import duckdb
import otf2
import pandas
import polars
import pyarrow

import mpiscope

COMMAND = os.environ["MPISCOPE"]
WRITE_ACCELERATORS = pathlib.Path(__file__).parents[2] / "mpiscope/tests/oracle/write_accelerators.py"
PIPITS = ["Timestamp (ns)", "Event Type", "Name", "Process", "Thread"]
# All columns, as the book names them; users' scripts rely on these.
COLUMNS = {
    "events": PIPITS
    + """region call_site peer root tag bytes bytes_sent bytes_received request communicator
         operation any_source any_tag""".split(),
    "calls": """Name Process Thread begin_ns end_ns time.inc time.exc call_site depth parent
        complete event""".split(),
    "messages": """from_rank to_rank send_ns receive_ns latency_ns bytes tag communicator
        send_region send_call_site receive_region receive_call_site any_source any_tag send_event
        receive_event""".split(),
    "wait_states": """kind rank thread region call_site begin_ns end_ns waiting_ns half_width_ns
        below_clock_resolution waited_for cause_region cause_call_site contradicts event cause_event""".split(),
}


def command(*words, cwd):
    done = subprocess.run([COMMAND, *words], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{words}: {done.stderr}")
    return done.stdout


class Simulated(unittest.TestCase):
    """With a simulated run, corrected, in a folder of its own."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name) / "halo.mpiscope"
        words = "simulate halo -n 6 --hosts 3 --iterations 20 -o halo.mpiscope"
        command(*words.split(), cwd=cls.folder.name)
        cls.uncorrected = cls.path.with_name("uncorrected.mpiscope")
        shutil.copytree(cls.path, cls.uncorrected)
        command("sync", "halo.mpiscope", cwd=cls.folder.name)

    def json(self, what):
        return json.loads(command(what, "--json", self.path, cwd=self.folder.name))

    def copy(self):
        """A copy of the corrected run that may be damaged."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return pathlib.Path(shutil.copytree(self.path, pathlib.Path(folder.name) / "copy.mpiscope"))


def by_otf2(anchor):
    """Type, name, process and time of each event, location by location."""
    with otf2.reader.open(str(anchor)) as trace:
        of_location = {location._ref: [] for location in trace.definitions.locations}
        processes = {location._ref: location.group._ref for location in trace.definitions.locations}
        for location, event in trace.events:
            kind = type(event).__name__
            is_call = kind in ("Enter", "Leave")
            name = event.region.name if is_call else kind
            row = (kind if is_call else "Instant", name, processes[location._ref], event.time)
            of_location[location._ref].append(row)
    rows = [row for rows in of_location.values() for row in rows]
    first = min(time for *_, time in rows)
    return [(kind, name, process, time - first) for kind, name, process, time in rows]


def by_us(events):
    columns = ["Event Type", "Name", "Process", "Timestamp (ns)"]
    return list(events[columns].itertuples(index=False, name=None))


class Events(Simulated):
    def test_events_are_those_that_otf2_reads(self):
        events = mpiscope.read(self.path).to_pandas()
        self.assertEqual(by_us(events), by_otf2(self.path / "corrected/traces.otf2"))

    def test_archives_of_other_tools_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            archive = pathlib.Path(folder) / "foreign"
            subprocess.run([sys.executable, WRITE_ACCELERATORS, archive], check=True)
            run = mpiscope.read(archive)
            self.assertIsNone(run.clock)
            events = run.to_pandas()
            found = sorted((kind, name, time) for kind, name, _, time in by_us(events))
            expected = by_otf2(archive / "traces.otf2")
            self.assertEqual(found, sorted((kind, name, time) for kind, name, _, time in expected))
            # An anchor is as good as its folder.
            again = mpiscope.read(str(archive / "traces.otf2")).to_pandas()
            pandas.testing.assert_frame_equal(events, again)

    def test_columns_have_the_names_of_pipit_and_its_kinds(self):
        events = mpiscope.read(self.path).to_pandas()
        self.assertEqual(list(events.columns[:5]), PIPITS)
        self.assertEqual(set(events["Event Type"].cat.categories), {"Enter", "Leave", "Instant"})
        for name in ["Name", "region", "call_site", "communicator", "operation"]:
            self.assertIsInstance(events[name].dtype, pandas.CategoricalDtype, name)
        self.assertEqual(events["Timestamp (ns)"].dtype, "int64")
        self.assertEqual(events["Timestamp (ns)"].min(), 0)

    def test_particulars_are_told_of_the_events_that_have_them(self):
        events = mpiscope.read(self.path).to_pandas()
        with_peer = events[events["peer"].notna()]
        kinds = set(with_peer["Name"].unique())
        self.assertTrue(kinds and kinds <= {"MpiSend", "MpiIsend", "MpiRecv", "MpiIrecv"}, kinds)
        self.assertTrue(with_peer["bytes"].notna().all() and with_peer["tag"].notna().all())
        self.assertEqual(set(with_peer["communicator"]), {"world"})
        ends = events[events["Name"] == "MpiCollectiveEnd"]
        self.assertTrue(len(ends) and ends["operation"].notna().all())
        self.assertTrue(events[events["Event Type"] != "Instant"]["peer"].isna().all())


class Tables(Simulated):
    def test_tables_hold_what_info_and_analyze_say(self):
        run, info, analyzed = mpiscope.read(self.path), self.json("info"), self.json("analyze")
        self.assertEqual(len(run.events), info["events"])
        self.assertEqual(len(run.messages), info["messages"]["point_to_point"])
        messages, calls, waits = (it.to_pandas() for it in [run.messages, run.calls, run.wait_states])
        self.assertEqual(messages["bytes"].sum(), info["messages"]["bytes"])
        entered = {it["name"]: it["calls"] for it in info["regions"]}
        self.assertEqual(calls.groupby("Name").size().to_dict(), entered)
        self.assertEqual(waits["waiting_ns"].sum(), analyzed["waiting_ns"])
        kinds = {it["kind"]: it["times"] for it in analyzed["wait_states"]}
        found = waits.groupby("kind").size()
        self.assertEqual(found[found > 0].to_dict(), kinds)

    def test_wait_states_have_what_clocks_leave_open_of_them(self):
        waits, open_ = mpiscope.read(self.path).wait_states.to_pandas(), self.json("analyze")["resolution"]
        below = waits["below_clock_resolution"].astype(bool)
        found = (int(below.sum()), int(waits[below]["waiting_ns"].sum()))
        self.assertEqual(found, (open_["below_times"], open_["below_ns"]))
        self.assertEqual(int(waits["half_width_ns"].isna().sum()), open_["unknown_times"])
        self.assertTrue((waits["half_width_ns"] > 0).any())
        # Ranks of one host read one clock, and of measured times of two nothing tells.
        hosts = lambda rank: rank // 2
        same = hosts(waits["rank"]) == hosts(waits["waited_for"])
        self.assertTrue((waits[same]["half_width_ns"] == 0).all())
        measured = mpiscope.read(self.path, clock="measured").wait_states.to_pandas()
        same = hosts(measured["rank"]) == hosts(measured["waited_for"])
        self.assertTrue((measured["half_width_ns"].notna() == same).all())
        self.assertTrue((measured["below_clock_resolution"].notna() == same).all())

    def test_rows_name_the_rows_of_events(self):
        run = mpiscope.read(self.path)
        events, messages, calls = (it.to_pandas() for it in [run.events, run.messages, run.calls])
        sends, receives = (events.iloc[messages[end]] for end in ["send_event", "receive_event"])
        self.assertTrue(sends["Name"].isin(["MpiSend", "MpiIsend"]).all())
        self.assertTrue(receives["Name"].isin(["MpiRecv", "MpiIrecv"]).all())
        self.assertEqual(list(sends["Timestamp (ns)"]), list(messages["send_ns"]))
        self.assertEqual(list(receives["Process"]), list(messages["to_rank"]))
        self.assertEqual(list(events.iloc[calls["event"]]["Name"]), list(calls["Name"]))
        waits = run.wait_states.to_pandas()
        self.assertTrue((events.iloc[waits["cause_event"]]["Process"].to_numpy() == waits["waited_for"].to_numpy()).all())

    def test_exclusive_times_add_up_to_the_outermost_inclusive_ones(self):
        calls = mpiscope.read(self.path).calls.to_pandas()
        outermost = calls[calls["depth"] == 0].groupby("Process")["time.inc"].sum()
        pandas.testing.assert_series_equal(
            calls.groupby("Process")["time.exc"].sum(), outermost, check_names=False
        )
        self.assertTrue(calls["complete"].all())

    def test_definitions_say_where_events_begin(self):
        run = mpiscope.read(self.path)
        locations = run.definitions["locations"].to_pandas()
        self.assertEqual(locations["events"].sum(), len(run.events))
        self.assertEqual(list(locations["rank"]), run.ranks)
        communicators = run.definitions["communicators"].to_pandas()
        self.assertIn("0,1,2,3,4,5", set(communicators["members"]))


class Frames(Simulated):
    def test_all_readers_find_the_same(self):
        for table in [(run := mpiscope.read(self.path)).events, run.messages, run.calls]:
            arrow, frame, of_polars = table.to_arrow(), table.to_pandas(), table.to_polars()
            sums = duckdb.sql("SELECT count(*) FROM arrow").fetchall()[0][0]
            self.assertEqual({sums, arrow.num_rows, len(frame), of_polars.height}, {len(table)})
            for names in [list(frame.columns), of_polars.columns, arrow.column_names]:
                self.assertEqual(names, table.columns)
            for name, column in frame.items():
                self.assertEqual(arrow.column(name).null_count, column.isna().sum(), name)
                self.assertEqual(of_polars[name].null_count(), column.isna().sum(), name)
                if isinstance(column.dtype, pandas.CategoricalDtype):
                    self.assertEqual(of_polars[name].cast(polars.String).to_list(), arrow.column(name).cast(pyarrow.string()).to_pylist())
                else:
                    self.assertEqual(int(of_polars[name].sum()), int(column.sum()), name)

    def test_numbers_are_shared_unless_a_copy_is_asked_for(self):
        events = mpiscope.read(self.path).events
        at = lambda frame: frame["Timestamp (ns)"].to_numpy().__array_interface__["data"][0]
        arrow = events.to_arrow().column("Timestamp (ns)").chunk(0).buffers()[1].address
        self.assertEqual(at(events.to_pandas()), arrow)
        self.assertNotEqual(at(events.to_pandas(copy=True)), arrow)
        self.assertEqual(events.to_arrow().column("bytes").chunk(0).buffers()[1].address,
                         pyarrow.table(events).column("bytes").chunk(0).buffers()[1].address)

    def test_columns_have_the_names_of_the_book(self):
        run = mpiscope.read(self.path)
        for name, columns in COLUMNS.items():
            table = getattr(run, name)
            self.assertEqual(sorted(table.columns), sorted(columns), name)
            for found in [table.to_arrow().column_names, table.to_polars().columns]:
                self.assertEqual(found, table.columns)

    def test_no_reader_copies_numbers(self):
        run, seen = mpiscope.read(self.path), 0
        for name in COLUMNS:
            table = getattr(run, name)
            arrow, again = table.to_arrow(), pyarrow.table(table)
            frame, of_polars = table.to_pandas(), table.to_polars()
            for column in arrow.column_names:
                array = arrow.column(column).chunk(0)
                same = again.column(column).chunk(0)
                self.assertEqual(addresses(same), addresses(array), column)
                if not pyarrow.types.is_integer(array.type):
                    continue
                seen += 1
                at = addresses(array)[-1]
                in_polars = addresses(of_polars[column].to_arrow())[-1]
                self.assertEqual(in_polars, at, (name, column))
                self.assertEqual(address_in_pandas(frame[column]), at, (name, column))
        self.assertGreater(seen, 25)

    def test_frames_outlive_the_run(self):
        run = mpiscope.read(self.path)
        frame, total = run.to_pandas(), run.to_arrow().column("Timestamp (ns)")
        expected = sum(total.to_pylist())
        del run, total
        self.assertEqual(frame["Timestamp (ns)"].sum(), expected)

    def test_a_process_that_was_forked_reads_too(self):
        expected = len(mpiscope.read(self.path).events)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            with multiprocessing.get_context("fork").Pool(1) as pool:
                self.assertEqual(pool.apply_async(count, [self.path]).get(timeout=60), expected)


def addresses(array):
    """Where the buffers of an array lie; of categories, of their codes."""
    array = array.indices if pyarrow.types.is_dictionary(array.type) else array
    return [buffer and buffer.address for buffer in array.buffers()]


def address_in_pandas(column):
    """Where pandas has numbers; of those that may be missing, in Arrow's memory, too."""
    if isinstance(column.dtype, pandas.ArrowDtype):
        return addresses(column.array.__arrow_array__().chunk(0))[-1]
    return column.to_numpy().__array_interface__["data"][0]


def count(path):
    return len(mpiscope.read(path).events)


class Clocks(Simulated):
    def reversed(self, clock):
        run = mpiscope.read(self.path, clock=clock)
        self.assertEqual(run.clock, clock)
        return int((run.messages.to_pandas()["latency_ns"] < 0).sum())

    def test_times_are_those_that_are_asked_for(self):
        violations = self.json("info")["violations"]
        for clock in ["measured", "interpolated", "corrected"]:
            figure = violations[clock]["reversed_point_to_point"]
            self.assertEqual(self.reversed(clock), figure, clock)
        self.assertGreater(self.reversed("measured"), 0)
        self.assertEqual(self.reversed("corrected"), 0)

    def test_a_run_is_read_in_corrected_time_if_it_has_been_corrected(self):
        self.assertTrue(mpiscope.read(self.path).is_corrected)
        run = mpiscope.read(self.uncorrected)
        self.assertEqual((run.clock, run.is_corrected), ("measured", False))
        anchor = mpiscope.read(self.path / "traces.otf2")
        self.assertEqual(anchor.clock, "measured", "what is named is what is read")

    def test_a_clock_that_is_not_there_is_refused(self):
        for path, clock, words in [
            (self.uncorrected, "corrected", "mpiscope sync"),
            (self.path / "corrected", "measured", "name the run"),
            (self.path, "wall", "'measured', 'interpolated', 'corrected', not 'wall'"),
        ]:
            with self.assertRaisesRegex(ValueError, words):
                mpiscope.read(path, clock=clock)


class Packed(Simulated):
    def setUp(self):
        self.packed = self.path.with_name("halo.mpiscope.tar.zst")
        command("pack", "--force", self.path, cwd=self.folder.name)

    def test_a_packed_run_is_read_as_the_run(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        with unittest.mock.patch.dict(os.environ, TMPDIR=temporary.name):
            run, packed = mpiscope.read(self.path), mpiscope.read(self.packed)
        self.assertEqual(len(os.listdir(temporary.name)), 1)
        self.assertEqual((packed.clock, packed.damage), (run.clock, []))
        for name in COLUMNS:
            self.assertTrue(getattr(run, name).to_arrow().equals(getattr(packed, name).to_arrow()), name)
        self.assertEqual(mpiscope.read(self.packed, clock="measured").clock, "measured")
        del packed
        self.assertEqual(os.listdir(temporary.name), [])

    def test_what_was_cut_and_what_is_none_is_said(self):
        self.packed.write_bytes(self.packed.read_bytes()[:8])
        with self.assertRaisesRegex(mpiscope.Error, "halo.mpiscope.tar.zst"):
            mpiscope.read(self.packed)
        thesis = self.packed.with_name("thesis.tar.zst")
        thesis.write_bytes(b"\x28\xb5\x2f\xfdof somebody")
        with self.assertRaisesRegex(mpiscope.Error, "thesis.tar.zst is damaged"):
            mpiscope.read(thesis)


class Failures(Simulated):
    def test_what_is_not_there_is_not_found(self):
        with self.assertRaisesRegex(FileNotFoundError, "nowhere.mpiscope"):
            mpiscope.read("nowhere.mpiscope")

    def test_what_is_no_archive_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(mpiscope.Error, "holds no archive"):
                mpiscope.read(folder)
            thesis = pathlib.Path(folder) / "thesis.txt"
            thesis.write_text("of somebody")
            with self.assertRaisesRegex(mpiscope.Error, "thesis.txt"):
                mpiscope.read(thesis)

    def test_what_has_no_definitions_is_damaged(self):
        path = self.copy()
        (path / "corrected/traces.def").write_text("cut")
        with self.assertRaisesRegex(mpiscope.Error, "traces.def"):
            mpiscope.read(path)
        self.assertEqual(mpiscope.read(path, clock="measured").clock, "measured")

    def test_a_damaged_file_of_half_widths_is_told(self):
        path = self.copy()
        (path / "corrected/uncertainty.json").write_text("{")
        with self.assertWarnsRegex(mpiscope.DamageWarning, "clocks can be wrong is not known"):
            run = mpiscope.read(path)
        self.assertTrue(run.wait_states.to_pandas()["half_width_ns"].isna().any())

    def test_what_could_be_read_is_there_and_the_rest_is_told(self):
        path = self.copy()
        events = path / "corrected/traces/1.evt"
        os.truncate(events, events.stat().st_size // 2)
        with self.assertWarnsRegex(mpiscope.DamageWarning, "only the first"):
            run = mpiscope.read(path)
        self.assertEqual(len(run.damage), 1)
        whole = len(mpiscope.read(self.path).events)
        self.assertTrue(0 < len(run.events) < whole)
        self.assertFalse(run.calls.to_pandas()["complete"].all())


if __name__ == "__main__":
    unittest.main()
