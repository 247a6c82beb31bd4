import { command, tournamentPath } from '../../../core/operation.ts'
import { clockKeepers } from '../rehearsals/policy.ts'
import { unknownRehearsal } from '../rehearsals/rules.ts'
import { findRehearsal } from '../rehearsals/store.ts'
import { PlayBody } from './bodies.ts'
import { readWish } from './rules.ts'
import { PlayedView, playedView } from './views.ts'

const play = command({
  name: 'rehearsals.play',
  method: 'POST',
  path: `${tournamentPath}/rehearsals/:rehearsal/play`,
  scope: 'rest:write',
  allow: clockKeepers,
  summary: 'Have simulated teams play a rehearsal, and its clock run with them.',
  description:
    'They start matches, choose maps where a flow is planned, and report results, as people would by the ordinary operations; the audit list marks it as simulated. One of `until`, `matches` and `count` says how far. Teams in `noShows` do not appear. The same seed, source and calls give the same evening. It takes 20 seconds at most: `done: false` then says that there is more, and the same call goes on.',
  body: PlayBody,
  reply: { 200: PlayedView },
  problems: {
    'clock.backwards': 409,
    'clock.too_far': 400,
    'rehearsal.unknown': 404,
    'match.unknown': 404,
    'match.not_ready': 409,
  },
  prepare: ({ actor, tournament, rehearsal, body, clients }) =>
    clients.simulatedPlayers.play({ actor, rehearsal, real: tournament }, readWish(body, rehearsal.clock.now)),
  run: async ({ tx, rehearsal, prepared }) => {
    const found = await findRehearsal(tx, rehearsal.guid)
    if (found === undefined) throw unknownRehearsal()
    return playedView(prepared, found.clock)
  },
})

export const playingOperations = [play]
