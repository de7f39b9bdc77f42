# The walk-throughs of docs/spaces.md.
lib=$(cd "$(dirname "$0")/lib" && pwd)
source "$lib/common.bash"
source "$lib/walkthrough.bash"

follow spaces.md performed
! has_capture || follow spaces.md captured
