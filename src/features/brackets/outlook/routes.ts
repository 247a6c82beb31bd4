import { Type } from 'typebox'
import { anyone, everybody } from '../../../core/actor.ts'
import { query, tournamentPath } from '../../../core/operation.ts'
import { isPooler, staffAndPoolersAudience } from '../../tournaments/access/policy.ts'
import { maxEntrants } from '../brackets/rules/entrants.ts'
import { unknownQualifier } from '../qualifiers/commands/qualifier.ts'
import { sightOfStandings, visibleMaps } from '../qualifiers/policy.ts'
import { movesAt, statusAt } from '../qualifiers/rules/status.ts'
import { findQualifier, listMaps } from '../qualifiers/store/qualifiers.ts'
import { findWithheld } from '../qualifiers/store/withheld.ts'
import type { Withheld } from '../qualifiers/types.ts'
import { readBracketOutlook, readQualifierOutlook } from './queries.ts'
import { BracketOutlookView, QualifierOutlookView, qualifierOutlookRows } from './views.ts'

/** Shows which teams can still reach a place. (match-flows: Spectators, and who can still qualify) */

const Places = Type.Integer({
  minimum: 1,
  maximum: maxEntrants,
  default: 1,
  description: 'How many go on, of each group where there are several. Of a group that is no larger, all are sure.',
  examples: [2],
})

const ofBracket = query({
  name: 'outlook.ofBracket',
  method: 'GET',
  path: `${tournamentPath}/brackets/:bracket/outlook`,
  scope: 'public',
  allow: anyone,
  summary: 'Who is sure of one of the first places of a table, who may still come to one, and who may not.',
  description:
    'Of round robins, group by group, and of Swiss brackets, as far as points tell. Made of the results and of all that the matches to come may bring; where that is too much to try, of bounds, and `exact` is false.',
  query: Type.Object({ places: Type.Optional(Places) }),
  reply: { 200: BracketOutlookView },
  problems: { 'outlook.not_a_table': 409, 'outlook.not_by_points': 409 },
  audience: everybody,
  live: { canBeDelayed: true, query: ['places'] },
  run: async ({ db, tournament, bracket, query: { places = 1 }, depends }) => {
    depends(tournament.guid)
    return readBracketOutlook(db, bracket, places)
  },
})

/** Nothing is withheld from poolers. */
const nothing: Withheld = { byDraft: false, guids: new Set() }

/** How long ranks of other sites are used before they are read again, in milliseconds. */
const rankPatienceMs = 60_000

const ofQualifier = query({
  name: 'outlook.ofQualifier',
  method: 'GET',
  path: `${tournamentPath}/qualifier/outlook`,
  scope: 'public',
  allow: anyone,
  summary: 'Which teams are sure to advance from the qualifier, which may still, and what they need.',
  description:
    'Told to those who see all of its standings; others get no rows. While it is open, only methods by which nobody loses what they have tell who is sure of anything; once it is closed, the ranks do.',
  reply: { 200: QualifierOutlookView },
  problems: { 'qualifier.unknown': 404 },
  audience: staffAndPoolersAudience,
  live: { sends: ['qualifier.seeded'] },
  run: async ({ db, actor, tournament, now, depends }) => {
    const [qualifier, maps, withheld] = await Promise.all([
      findQualifier(db, tournament.guid),
      listMaps(db, tournament.guid),
      isPooler(actor) ? nothing : findWithheld(db, tournament.guid),
    ])
    if (qualifier === undefined) throw unknownQualifier()
    const status = statusAt(qualifier, now)
    const { cutoff } = qualifier
    const moves = movesAt(qualifier, now)
    depends(tournament.guid)
    if (moves !== null) depends.until(moves)
    if (sightOfStandings(actor, qualifier, status) !== 'all') return { cutoff, rows: [] }
    const isOver = status === 'closed' || status === 'final'
    const outlook = await readQualifierOutlook(db, qualifier, maps, isOver)
    const { teams } = outlook.board.standings
    // Ranks on other sites change without an event of this service.
    if (teams.some(({ decidedBy }) => decidedBy === 'ranking_rank')) {
      depends.until(new Date(now.getTime() + rankPatienceMs))
    }
    return { cutoff, rows: qualifierOutlookRows(outlook, visibleMaps(actor, status, maps, withheld), isOver) }
  },
})

export const outlookOperations = [ofBracket, ofQualifier]
