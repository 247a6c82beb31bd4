import { Type } from 'typebox'
import { normaliseGuid } from '../../../core/ids.ts'
import { command, query, tournamentPath } from '../../../core/operation.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { findHorizon } from '../../../infra/held/store.ts'
import { anyStaff, staffAudience } from '../access/policy.ts'
import { spoilerModes } from '../tournaments/types.ts'
import { reveal } from './commands.ts'
import { revealers } from './policy.ts'
import { readRevealed } from './rules.ts'

/** How often the horizon, which moves with the time, is read again while it is followed. */
const lookMs = 2_000

const HorizonView = Type.Object(
  {
    mode: oneOf(spoilerModes),
    delaySeconds: Type.Integer({
      description: 'How late everybody but the staff sees the competition.',
      examples: [600],
    }),
    horizon: nullable(Instant, 'The instant whose state they see; null where they see the present.'),
    waiting: Type.Integer({ description: 'How many changes are not shown yet.', examples: [12] }),
  },
  { title: 'Horizon' },
)

const horizon = query({
  name: 'spoilers.horizon',
  method: 'GET',
  path: `${tournamentPath}/horizon`,
  scope: 'rest:read',
  allow: anyStaff,
  summary: 'How far the public is behind, in a tournament whose `spoilerMode` is `held`: for its staff.',
  description:
    'The horizon moves with the time, as far behind as the longest delay of the tournament and its channels, and never goes back. Changes that are `waiting` are shown when it reaches them, or by a reveal.',
  reply: { 200: HorizonView },
  audience: staffAudience,
  live: { paceMs: lookMs },
  run: async ({ db, tournament, depends, now }) => {
    depends(tournament.guid)
    const { guid, spoilerMode: mode } = tournament
    const found = await findHorizon(db, guid)
    if (found === null) return { mode, delaySeconds: 0, horizon: null, waiting: 0 }
    depends.until(new Date(now.getTime() + lookMs))
    return { mode, delaySeconds: found.seconds, horizon: formatInstant(found.horizon), waiting: found.waiting }
  },
})

const revealing = command({
  name: 'spoilers.reveal',
  method: 'POST',
  path: `${tournamentPath}/reveal`,
  scope: 'rest:write',
  allow: revealers,
  summary: 'Show everybody a match until its end, or everything until now.',
  description:
    'What happened before the end of the match is shown with it. The delay goes on from there. With `dryRun=true` it answers what would be shown.',
  query: Type.Object({ dryRun: Type.Optional(Type.Boolean({ description: 'Only answers what would be shown.' })) }),
  body: Type.Object(
    { match: Type.Optional(Guid), all: Type.Optional(Type.Boolean({ description: 'True, in place of `match`.' })) },
    { title: 'Reveal', examples: [{ all: true }] },
  ),
  strict: true,
  reply: {
    200: Type.Object(
      { horizon: Instant, matches: Type.Array(Guid, { description: 'Those that it shows in a later state.' }) },
      { title: 'Revealed' },
    ),
  },
  problems: {
    'reveal.invalid': 400,
    'match.unknown': 404,
    'spoiler.not_held': 409,
    'match.not_completed': 409,
  },
  run: async ({ tx, actor, tournament, query: { dryRun = false }, body, now }) => {
    const given = readRevealed(body)
    const revealed = given === 'all' ? given : { match: normaliseGuid(given.match) }
    const { horizon: until, matches } = await reveal(tx, actor, tournament.guid, { revealed, dryRun, now })
    return { horizon: formatInstant(until), matches: [...matches] }
  },
})

export const spoilersOperations = [horizon, revealing]
