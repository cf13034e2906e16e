# SPDX-License-Identifier: MIT
# What every job runs is inferred when the package is precompiled, so that its first loop starts seconds earlier.

for (f, types) in (
    (__init__, ()),
    (start_job, (NamedTuple{(),Tuple{}},)),
    (report!, (Job, UInt64)),
    (find_stack, (Job,)),
    (child!, (Record, Node, String)),
    (told_at_once!, (Job, Node, UInt64)),
    (leave_bars!, (Stack, Node, UInt64, Bool)),
    (enter, (Slot, String)),
    (leave, (Entry,)),
    (begin_run, (Track{UnitRange{Int}},)),
    (begin_bar, (Int64, String, String, Nothing)),
    (begin_bar, (Nothing, String, String, Nothing)),
    (look!, (Job, Bar)),
    (end_run!, (Run,)),
    (iterate, (Track{UnitRange{Int}},)),
    (iterate, (Track{UnitRange{Int}}, Tuple{Int,Run})),
    (log_line, (String, Tuple{String})),
    (add_point!, (Record, UInt64, String, Nothing, Float64)),
    (add_point!, (Record, UInt64, String, Int64, Float64)),
    (read_answers!, (Reporter, Float64)),
    (send_ending!, (Reporter, FinishRow)),
    (send_ending!, (Reporter, Nothing)),
    (draw_block!, (Console, Snapshot, Float64)),
    (at_exit, (Int,)),
    (end_by_signal!, (Job,)),
    (end_at_exit, (Int,)),
    (prepare_farewell!, (Int,)),
    (say_farewell, (Cint, Ptr{Cvoid})),
)
    precompile(f, types)
end
foreach(row -> precompile(add_row!, (Packer, row)), (HelloRow, FinishRow, UsageRow, BarRow, StageRow, MetricRow, LogRow))
