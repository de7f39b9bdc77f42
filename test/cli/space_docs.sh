# The walk-throughs of docs/spaces.md.
source "$(dirname "$0")/lib/common.bash"
source "$(dirname "$0")/lib/walkthrough.bash"

follow spaces.md performed
! has_capture || follow spaces.md captured
