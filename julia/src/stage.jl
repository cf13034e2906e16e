# SPDX-License-Identifier: MIT
# Stages: the macro, its hot path, and each task's place in the tree.
# Every task has a stack of its own; a new task begins at the root. In the steady state entering and leaving allocates
# nothing and costs two readings of the clock and little else.

"Where a task is: the innermost stage it is in, and the innermost bar. Used by its task alone."
mutable struct Stack
    task::Task
    job::Job
    top::Node
    bar::Union{Nothing,Bar}
end

# The stack that was used last; a hint only, as every use checks whose it is.
const LAST_STACK = Ref{Union{Nothing,Stack}}(nothing)
const STACK_KEY = :macaw_stack
forget_stacks() = (LAST_STACK[] = nothing; nothing)

@inline function stack_of(job::Job)
    stack = LAST_STACK[]
    stack !== nothing && stack.task === current_task() && stack.job === job && return stack
    return find_stack(job)
end

@noinline function find_stack(job::Job)
    storage = task_local_storage()
    stack = get(storage, STACK_KEY, nothing)
    if !(stack isa Stack && stack.job === job)
        stack = Stack(current_task(), job, job.record.root, nothing)
        storage[STACK_KEY] = stack
    end
    LAST_STACK[] = stack
    return stack
end

"What a place in the source remembers: the node it entered last. A hint only; parent and name are checked."
mutable struct Slot
    node::Union{Nothing,Node}
end
Slot() = Slot(nothing)

"An entry of a stage that is to be left again."
struct Entry
    stack::Union{Nothing,Stack}
    node::Union{Nothing,Node}
    outer::Union{Nothing,Node}
    start::UInt64
    exceptions::Csize_t      # that were being handled at the entry
end
no_entry() = Entry(nothing, nothing, nothing, 0, 0)

"How many exceptions this task is handling. (The argument is for newer Julias; older ones take none and ignore it.)"
@inline handled_exceptions() = ccall(:jl_excstack_state, Csize_t, (Any,), current_task())

@inline function enter(slot::Slot, name::String)
    job = running_job()
    job === nothing && return no_entry()
    stack = stack_of(job)
    outer = stack.top
    known = slot.node
    is_known = known !== nothing && known.parent === outer && known.name === name
    return enter(job, stack, is_known ? known::Node : find_node!(slot, job, outer, name), outer)
end
enter(slot::Slot, name) = enter(slot, label(name))

@noinline find_node!(slot::Slot, job::Job, outer::Node, name::String) = (slot.node = child!(job.record, outer, name))::Node

label(name::AbstractString) = String(name)
label(name) = string(name)

@inline function enter(job::Job, stack::Stack, node::Node, outer::Node)
    now = time_ns()
    if job.is_threaded
        lock(node.lock)
        begin_entry!(node, now)
        unlock(node.lock)
    else
        begin_entry!(node, now)
    end
    stack.top = node
    node.is_slow && told_at_once!(job, node, now)
    return Entry(stack, node, outer, now, handled_exceptions())
end

"Nothing ticks while a program computes, so a stage that may last is told when it begins."
@noinline function told_at_once!(job::Job, node::Node, now::UInt64)
    node.told.changed = true
    report!(job, now)
    return
end

@inline function leave(entry::Entry)
    entry.node === nothing && return
    stack, node, outer = entry.stack::Stack, entry.node::Node, entry.outer::Node
    job = stack.job
    now = time_ns()
    failed = handled_exceptions() > entry.exceptions
    if job.is_threaded
        lock(node.lock)
        end_entry!(node, entry.start, now, failed)
        unlock(node.lock)
    else
        end_entry!(node, entry.start, now, failed)
    end
    node.is_slow = node.sum >= node.n % UInt64 * job.interval_ns
    stack.top = outer
    bar = stack.bar
    bar !== nothing && bar.stage === node && leave_bars!(stack, node, now, failed)
    report_if_due!(job, now)
    return
end

"A loop that is still open when its stage is left was left by `break`, `return` or an exception."
@noinline function leave_bars!(stack::Stack, node::Node, now::UInt64, failed::Bool)
    while stack.bar !== nothing && stack.bar.stage === node
        end_bar!(stack.bar, failed ? "failed" : is_short(stack.bar) ? "left" : "done", now)
        stack.bar = stack.bar.outer
    end
    return
end

"""
    Macaw.@stage "name" expression
    Macaw.@stage f(x)
    Macaw.@stage [“name”] function f(x) ... end

Times the expression, the call (under the function's name) or every call of the function that is defined. Values, `return`,
`break`, `continue` and assignments are those of the expression itself.
"""
macro stage(arguments...)
    1 <= length(arguments) <= 2 || throw(ArgumentError("@stage takes a name and an expression, a call or a function definition"))
    expression = arguments[end]
    if is_definition(expression)
        name = length(arguments) == 2 ? arguments[1] : string(defined_name(expression.args[1]))
        return esc(Expr(expression.head, expression.args[1], timed(__module__, name, expression.args[2])))
    end
    length(arguments) == 2 && return esc(timed(__module__, arguments[1], expression))
    expression isa Expr && expression.head in (:call, :.) ||
        throw(ArgumentError("@stage needs a name for what is neither a call nor a function definition"))
    return esc(timed(__module__, string(expression.args[1]), expression))
end

is_definition(expression) = expression isa Expr &&
    (expression.head === :function || (expression.head === :(=) && is_signature(expression.args[1])))
is_signature(left) = left isa Expr && (left.head === :call || (left.head in (:where, :(::)) && is_signature(left.args[1])))

defined_name(name) = name
defined_name(signature::Expr) =
    signature.head in (:call, :where, :(::)) && !isempty(signature.args) ? defined_name(signature.args[1]) :
    signature.head === :. ? signature : "anonymous"

# Expr(:tryfinally) instead of a surface `try`, which would open a scope: assignments inside stay visible.
function timed(::Module, name, expression)
    entry = gensym("entry")
    return Expr(:block, :($entry = $enter($(Slot()), $name)), Expr(:tryfinally, expression, :($leave($entry))))
end

"""
    Macaw.stage(f, name)

`f()`, timed: `Macaw.stage("solve") do ... end`.
"""
function stage(f, name)
    entry = enter(Slot(), name)
    try
        return f()
    finally
        leave(entry)
    end
end
