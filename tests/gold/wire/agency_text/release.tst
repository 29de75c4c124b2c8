Example Distribution
MEDIA RELEASE PR70001

Lake Mill Opens Again
After Winter of Low Water

TARMOUTH, March 11 /Example/ --

The mill on the lake opens again on Thursday, its owner said.

SOURCE: Lake Mill Ltd

Contact: 000
