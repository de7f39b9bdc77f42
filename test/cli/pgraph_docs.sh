# The walk-throughs of docs/parametric-graphs.md.
lib=$(cd "$(dirname "$0")/lib" && pwd)
source "$lib/common.bash"
source "$lib/walkthrough.bash"

follow parametric-graphs.md performed
! has_capture || follow parametric-graphs.md captured
