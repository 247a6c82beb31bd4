import type { AdditionalField } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import type { CsvCell } from '../../parts/csv.ts'
import type { Entry } from './desk.ts'
import { verdictOf } from './verdict.ts'

/** The desk as a table for spreadsheets: what is shown, in its order. */
export function linesOf(teams: readonly Entry[], fields: readonly AdditionalField[]): readonly (readonly CsvCell[])[] {
  const ofTeam = fields.filter(({ subject }) => subject === 'team')
  const head = [
    ...(['desk.team', 'desk.id', 'desk.status', 'desk.seed', 'desk.captain', 'desk.members'] as const).map((id) =>
      words(id),
    ),
    ...ofTeam.map(({ label }) => label),
    words('desk.eligible'),
    words('desk.note'),
  ]
  const lines = teams.map((entry): readonly CsvCell[] => [
    entry.team.name,
    entry.team.id,
    words(entry.withdrawnAt === null ? `desk.${entry.status}` : 'desk.withdrawn'),
    entry.seed,
    entry.members.find(({ isCaptain }) => isCaptain)?.name ?? null,
    entry.members.map(({ name }) => name).join(', '),
    ...ofTeam.map((field) =>
      answerText(entry.answers.find(({ fieldGuid }) => fieldGuid === field.guid)?.response, field),
    ),
    verdictOf(entry)
      .flatMap(({ messages }) => messages)
      .join(' ') || words('desk.yes'),
    entry.note,
  ])
  return [head, ...lines]
}

type Response = Entry['answers'][number]['response']

/** An answer as text; a map by what names it. */
export function answerText(response: Response | undefined, { type }: AdditionalField): string | null {
  if (response === undefined) return null
  if (type === 'boolean') return words(response === 'true' ? 'answers.yes' : 'answers.no')
  if (typeof response !== 'object') return String(response)
  return `${response.hash} ${response.difficulty} ${response.characteristic}`
}
