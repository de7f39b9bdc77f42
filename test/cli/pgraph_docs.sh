# The walk-throughs of docs/parametric-graphs.md.
source "$(dirname "$0")/lib/common.bash"
source "$(dirname "$0")/lib/walkthrough.bash"

follow parametric-graphs.md performed
! has_capture || follow parametric-graphs.md captured
