import { Type } from 'typebox'

/** The query member that requests a read as of the delayed stream's time. */
export const delayedMember = Type.Optional(
  Type.Boolean({
    description:
      'As everybody could see it when the stream was there, or a second later: a match in the queue of a channel as long ago as that channel’s `delaySeconds`, everything else as the longest of these and the tournament’s `streamDelaySeconds`. The header `Delayed` says how many seconds these are.',
  }),
)
