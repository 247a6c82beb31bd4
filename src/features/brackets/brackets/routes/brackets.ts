import { Type } from 'typebox'
import { anyone, everybody } from '../../../../core/actor.ts'
import { Answer, command, query } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import { organisers, staffAndPoolersAudience } from '../../../tournaments/access/policy.ts'
import type { Include } from '../../../tournaments/tournaments/rules/includes.ts'
import { dependenciesOf } from '../../matches/views.ts'
import { ChangesBody, CreateBody, DryRun, GenerateBody, PlacementsBody } from '../bodies.ts'
import { createBracket, generateBracket } from '../commands/generate.ts'
import { deleteBracket, pairRound, placeEntrants, updateBracket } from '../commands/structure.ts'
import { readDivisions, readStandings, readWholeBracket, reloadWholeBracket } from '../queries.ts'
import { BracketLossesView, MadeBracketView, madeBracketView, WholeBracketView } from '../views/bracket.ts'
import { DivisionWithBracketsView } from '../views/division.ts'
import { StandingView } from '../views/standing.ts'

const entrantProblems = {
  'bracket.entrants_invalid': 400,
  'bracket.too_few_teams': 409,
  'bracket.too_many_teams': 409,
  'bracket.not_completed': 409,
  'team.withdrawn': 409,
  'team.not_registered': 409,
  'tie.order_invalid': 400,
  'tie.undecided': 409,
} as const

const makingProblems = {
  ...entrantProblems,
  'bracket.settings_invalid': 400,
  'bracket.too_many_matches': 409,
  'tournament.over': 409,
} as const

const Divisions = Type.Array(DivisionWithBracketsView)

const listOfDivisions = query({
  name: 'divisions.list',
  method: 'GET',
  path: '/tournaments/:tournament/divisions',
  scope: 'public',
  allow: anyone,
  summary: 'The divisions of a tournament with their brackets, without matches.',
  description:
    'Where to begin when drawing a tournament: each bracket is read in full by `GET /tournaments/{tournament}/brackets/{bracket}`.',
  reply: { 200: Divisions },
  audience: everybody,
  live: { sends: ['division.created', 'division.updated', 'division.deleted'] },
  run: async ({ db, tournament, depends }) => {
    depends(tournament.guid)
    return [...(await readDivisions(db, tournament))]
  },
})

/** The divisions as an optional part of the tournament's record. */
export const divisionsInclude: Include = {
  schema: Divisions,
  load: ({ db, tournament, depends }) => {
    depends(tournament.guid)
    return readDivisions(db, tournament)
  },
}

const create = command({
  name: 'brackets.create',
  method: 'POST',
  path: '/tournaments/:tournament/divisions/:division/brackets',
  scope: 'rest:write',
  allow: organisers,
  inRehearsals: true,
  summary: 'Make a bracket with its matches.',
  description:
    'Teams enter by seed: their own where each of them has one, else their place in the list. Places of another bracket that cut through a tie are 409 `tie.undecided`, with the tied teams and the commitment of a draw, until `entrants.from` has their `order` with a `reason`, or `draw`. With `dryRun=true` the answer is what would be made, and nothing is stored.',
  query: Type.Object({ dryRun: DryRun }),
  body: CreateBody,
  reply: { 201: MadeBracketView },
  problems: { 'bracket.unknown': 404, 'team.unknown': 404, ...makingProblems, 'bracket.too_many': 409 },
  run: async ({ tx, actor, division, body, query: { dryRun = false }, services: { seal }, now }) =>
    madeBracketView(tx, await createBracket(tx, actor, division, body, { dryRun, now, seal }), actor),
})

const read = query({
  name: 'brackets.read',
  method: 'GET',
  path: '/tournaments/:tournament/brackets/:bracket',
  scope: 'public',
  allow: anyone,
  summary: 'A bracket with its rounds, matches and standings.',
  description: 'Everything that it takes to draw it: which match feeds which, who stands where, and how far it is.',
  reply: { 200: WholeBracketView },
  audience: staffAndPoolersAudience,
  // Events that change a draft are left out, since only the staff may receive them.
  live: {
    canBeDelayed: true,
    sends: [
      'bracket.created',
      'bracket.updated',
      'bracket.round_paired',
      'bracket.team_withdrawn',
      'bracket.team_returned',
      'bracket.deleted',
    ],
  },
  run: async ({ db, actor, tournament, bracket, depends }) => {
    const view = await readWholeBracket(db, bracket, actor)
    depends(...dependenciesOf(tournament.guid, view.matches))
    return view
  },
})

const update = command({
  name: 'brackets.update',
  method: 'PATCH',
  path: '/tournaments/:tournament/brackets/:bracket',
  scope: 'rest:write',
  allow: organisers,
  inRehearsals: true,
  summary: 'Change a bracket’s name, its place in the list, or the length of its rounds.',
  description: 'Matches that were begun keep their length.',
  body: ChangesBody,
  reply: { 200: WholeBracketView },
  problems: {
    'bracket.nothing_to_change': 400,
    'bracket.settings_invalid': 400,
    'bracket.round_played': 409,
    'tournament.over': 409,
  },
  run: async ({ tx, actor, bracket, body, now }) => {
    await updateBracket(tx, actor, bracket, body, now)
    return reloadWholeBracket(tx, bracket.guid, actor)
  },
})

const generate = command({
  name: 'brackets.generate',
  method: 'POST',
  path: '/tournaments/:tournament/brackets/:bracket/generate',
  scope: 'rest:write',
  allow: organisers,
  inRehearsals: true,
  summary: 'Make the matches of a bracket anew.',
  description:
    'Name, order, format and settings that are not given stay; with another format, settings begin anew. Ties that decide who comes in are decided as when a bracket is made. Once a match was played, only with `force`.',
  query: Type.Object({ dryRun: DryRun }),
  body: GenerateBody,
  reply: { 200: MadeBracketView },
  problems: { 'team.unknown': 404, ...makingProblems, 'bracket.played': 409 },
  run: async ({ tx, actor, bracket, body, query: { dryRun = false }, services: { seal }, now }) =>
    madeBracketView(tx, await generateBracket(tx, actor, bracket, body, { dryRun, now, seal }), actor),
})

const place = command({
  name: 'brackets.placeEntrants',
  method: 'PUT',
  path: '/tournaments/:tournament/brackets/:bracket/entrants',
  scope: 'rest:write',
  socket: true,
  allow: organisers,
  inRehearsals: true,
  summary: 'Put teams into places of a bracket, or let them change places, before play.',
  description:
    'Places that are not named stay as they are. Seeds belong to the places. With `revision`, nothing changes if the bracket has changed since.',
  body: PlacementsBody,
  reply: { 200: WholeBracketView },
  problems: {
    'slot.unknown': 404,
    'team.unknown': 404,
    'bracket.entrants_invalid': 400,
    'bracket.stale': 409,
    'bracket.played': 409,
    'team.withdrawn': 409,
    'team.not_registered': 409,
    'tournament.over': 409,
  },
  run: async ({ tx, actor, bracket, body, now }) => {
    await placeEntrants(tx, actor, bracket, body.entrants, { seen: body.revision, now })
    return reloadWholeBracket(tx, bracket.guid, actor)
  },
})

const pair = command({
  name: 'brackets.pairRound',
  method: 'POST',
  path: '/tournaments/:tournament/brackets/:bracket/rounds',
  scope: 'rest:write',
  socket: true,
  allow: organisers,
  inRehearsals: true,
  summary: 'Pair the next round of a Swiss bracket.',
  description: 'Each new match tells in `pairing` why it was made.',
  reply: { 201: WholeBracketView },
  problems: {
    'bracket.not_swiss': 409,
    'bracket.draft': 409,
    'bracket.round_open': 409,
    'bracket.rounds_complete': 409,
    'tournament.over': 409,
  },
  run: async ({ tx, actor, bracket, now }) => {
    await pairRound(tx, actor, bracket, now)
    return reloadWholeBracket(tx, bracket.guid, actor)
  },
})

const readTable = query({
  name: 'brackets.standings',
  method: 'GET',
  path: '/tournaments/:tournament/brackets/:bracket/standings',
  scope: 'public',
  allow: anyone,
  summary: 'The table of a bracket, group by group, computed from its results.',
  description:
    'Ranks are shared where no tie-breaker decides. It is made anew whenever it is asked for, so that it follows corrections.',
  reply: { 200: Type.Object({ standings: Type.Array(StandingView) }) },
  audience: everybody,
  live: { canBeDelayed: true },
  run: async ({ db, tournament, bracket, depends }) => {
    depends(tournament.guid)
    return { standings: [...(await readStandings(db, bracket))] }
  },
})

const Force = Type.Optional(Type.Boolean({ description: 'Also when matches were played; their results are lost.' }))

const remove = command({
  name: 'brackets.delete',
  method: 'DELETE',
  path: '/tournaments/:tournament/brackets/:bracket',
  scope: 'rest:write',
  allow: organisers,
  inRehearsals: true,
  summary: 'Delete a bracket with its matches.',
  description:
    'Once a match was played, only with `force`, in the query or in the body. With `dryRun=true` the answer is what would be lost, or the refusal, and nothing is deleted.',
  query: Type.Object({
    force: Force,
    dryRun: Type.Optional(Type.Boolean({ description: 'Only answers what would be lost, and deletes nothing.' })),
  }),
  body: Type.Object({ force: Force }),
  bodyOptional: true,
  reply: { 200: BracketLossesView, 204: nullable(Type.String()) },
  problems: { 'bracket.played': 409, 'tournament.over': 409 },
  run: async ({ tx, actor, bracket, query: { force, dryRun = false }, body }) => {
    const losses = await deleteBracket(tx, actor, bracket, { force: force ?? body?.force ?? false, dryRun })
    return losses === undefined ? new Answer(204) : new Answer(200, { body: { dryRun: true, ...losses } })
  },
})

export const bracketsOperations = [listOfDivisions, create, read, update, generate, place, pair, readTable, remove]
