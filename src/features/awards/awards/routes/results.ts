import { Type } from 'typebox'
import { anyone, everybody } from '../../../../core/actor.ts'
import { SpreadsheetQuery, spreadsheetNote } from '../../../../core/csv.ts'
import { Answer, command, query } from '../../../../core/operation.ts'
import { badgeManagers } from '../../badges/policy.ts'
import { RecountBody } from '../bodies/voting.ts'
import { recount } from '../commands/recounting.ts'
import { readBallots, readResults, readRoll, readTurnout } from '../queries.ts'
import { RecountView, recountView } from '../views/recount.ts'
import { ResultsView, resultsCsv, resultsView } from '../views/results.ts'
import { TurnoutView } from '../views/turnout.ts'

const contentType = 'text/csv; charset=utf-8'

function file(edition: { readonly id: string }, name: string): Readonly<Record<string, string>> {
  return { 'content-disposition': `attachment; filename="${edition.id}-${name}.csv"` }
}

const results = query({
  name: 'awards.results',
  method: 'GET',
  path: '/awards/:edition/results',
  scope: 'public',
  allow: anyone,
  summary: 'The results of an edition of awards, once they are published.',
  description:
    'Places, winners and counts of every category, how many votes were left out and why, and the digest of all ballots, by which anybody can tell that they counted the same ones. Until publication it is 404 for everybody.',
  reply: { 200: ResultsView },
  problems: { 'award.not_published': 404 },
  audience: everybody,
  run: async ({ db, edition, depends }) => {
    depends(edition.guid)
    return resultsView(...(await readResults(db, edition)))
  },
})

const resultsFile = query({
  name: 'awards.resultsCsv',
  method: 'GET',
  path: '/awards/:edition/results.csv',
  scope: 'public',
  allow: anyone,
  summary: 'The results of an edition of awards as a spreadsheet, one row for each nominee.',
  description: `${spreadsheetNote} Until publication it is 404 for everybody.`,
  query: Type.Object(SpreadsheetQuery),
  reply: { 200: Type.String() },
  contentType,
  problems: { 'award.not_published': 404 },
  run: async ({ db, edition, query: wanted }) =>
    new Answer(200, {
      body: resultsCsv(await readResults(db, edition), wanted.for),
      contentType,
      headers: file(edition, 'results'),
    }),
})

const ballotsFile = query({
  name: 'awards.ballotsCsv',
  method: 'GET',
  path: '/awards/:edition/ballots.csv',
  scope: 'public',
  allow: anyone,
  summary: 'All ballots of an edition of awards, so that anybody can count them again.',
  description:
    'One row `category,nominee` of GUIDs for each ballot, in their sorted order: without header, joined by line feeds, the rows are what `ballotsDigest` is the SHA-256 of. It is 404 until publication, and where the rules withhold counts.',
  query: Type.Object({
    ...SpreadsheetQuery,
    round: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2,
        default: 1,
        description: 'Which ballots: 1 for those of the first round, 2 for those of runoffs (`runoffDigest`).',
      }),
    ),
  }),
  reply: { 200: Type.String() },
  contentType,
  problems: { 'award.not_published': 404, 'award.counts_withheld': 404 },
  run: async ({ db, edition, query: { round = 1, ...wanted } }) =>
    new Answer(200, {
      body: await readBallots(db, edition, round, wanted.for),
      contentType,
      headers: file(edition, round === 1 ? 'ballots' : 'runoff-ballots'),
    }),
})

const turnout = query({
  name: 'awards.turnout',
  method: 'GET',
  path: '/admin/awards/:edition/turnout',
  scope: 'rest:read',
  allow: badgeManagers,
  summary: 'How many users have voted and, once voting is closed, what their accounts have in common.',
  description:
    'While voting is open the number alone, counted once an hour. Afterwards the groups by which false accounts are found. What anybody chose is in none of it.',
  reply: { 200: TurnoutView },
  run: ({ db, edition }) => readTurnout(db, edition),
})

const roll = query({
  name: 'awards.roll',
  method: 'GET',
  path: '/admin/awards/:edition/roll.csv',
  scope: 'rest:read',
  allow: badgeManagers,
  summary: 'Who voted, and in which categories, as a spreadsheet, once voting is closed.',
  description: `${spreadsheetNote} That users voted, and nothing else.`,
  query: Type.Object(SpreadsheetQuery),
  reply: { 200: Type.String() },
  contentType,
  problems: { 'award.not_closed': 404 },
  run: async ({ db, edition, query: wanted }) =>
    new Answer(200, {
      body: await readRoll(db, edition, wanted.for),
      contentType,
      headers: file(edition, 'roll'),
    }),
})

const again = command({
  name: 'awards.recount',
  method: 'POST',
  path: '/awards/:edition/recount',
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Count again, and put right what differs from what was published.',
  description:
    'The sealed votes are counted while they are there, with the exclusions that there are, else the ballots. While votes are counted for the first time it tells only whether ballots and votes agree. With `apply` and a reason, what differs is published: badges move, winners are told, and everybody can read the correction.',
  body: RecountBody,
  bodyOptional: true,
  reply: { 200: RecountView },
  problems: { 'award.reason_missing': 400, 'award.phase_wrong': 409 },
  run: async ({ tx, actor, edition, body, now }) =>
    recountView(await recount(tx, actor, edition, body ?? {}, now), edition),
})

export const resultsOperations = [results, resultsFile, ballotsFile, turnout, roll, again]
