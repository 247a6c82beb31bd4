import { useMemo } from 'react'
import type { AuditEntry } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead, useRenewal } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import type { Saved } from '../../parts/form/form.tsx'
import { fullOf, Instant } from '../../parts/time.tsx'
import { memberOf } from '../settings-values.ts'
import styles from './settings.module.css'

/** Who changed a setting, when, from what to what: the latest changes, from the audit list. */

type ByMember = ReadonlyMap<string, readonly AuditEntry[]>

interface AllChanges {
  readonly of: ByMember
  /** Who has saved a setting last; undefined while the list is read again. */
  readonly savedBy: (name: string) => Saved | undefined
}

export function useChanges(tournament: string, updatedAt: string): AllChanges {
  const at = address('/tournaments/{tournament}/audit', { tournament }, { limit: 100 })
  const read = useRead(at)
  useRenewal(at, updatedAt)
  const of = useMemo(() => {
    const updates = read.data?.entries.filter(({ type }) => type === 'tournament.updated') ?? []
    const pairs = updates.flatMap((entry) => Object.keys(entry.after ?? {}).map((member) => [member, entry] as const))
    return new Map(
      [...Map.groupBy(pairs, ([member]) => member)].map(([member, group]) => [member, group.map(([, entry]) => entry)]),
    )
  }, [read.data])
  const savedBy = (name: string) => {
    const [last] = (!read.isFetching && changesOf(name, of)) || []
    return last && { who: whoOf(last), at: last.at }
  }
  return { of, savedBy }
}

const changesOf = (name: string, of: ByMember) =>
  of.get(memberOf(name))?.filter(({ before, after }) => partOf(before, name) !== partOf(after, name))

const whoOf = ({ actor }: AuditEntry) => actor?.preferredName ?? words('settings.service')

interface Props {
  /** As the form names it. */
  readonly name: string
  readonly of: ByMember
  readonly zone: string
}

const shownChanges = 5

export function Changes({ name, of, zone }: Props) {
  const entries = changesOf(name, of)
  const [last] = entries ?? []
  if (entries === undefined || last === undefined) return null
  return (
    <details className={styles.changes}>
      <summary className="small muted">
        {words('settings.changed-by', { name: whoOf(last) })} <Instant at={last.at} />
      </summary>
      <ol className="lines">
        {entries.slice(0, shownChanges).map((entry) => (
          <li key={entry.seq} className="small">
            <span className="muted">
              <bdi>{whoOf(entry)}</bdi>, <Instant at={entry.at} />
            </span>
            <p className={styles.value}>
              <del>
                <bdi>{shown(partOf(entry.before, name), zone)}</bdi>
              </del>{' '}
              <ins>
                <bdi>{shown(partOf(entry.after, name), zone)}</bdi>
              </ins>
            </p>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** The value of a setting in a state of the record, as a text. */
function partOf(state: Readonly<Record<string, unknown>> | null, name: string): string {
  let value: unknown = state
  for (const step of name.split('.')) {
    // A long value is replaced as a whole.
    if (typeof value === 'string') break
    value = (value as Readonly<Record<string, unknown>> | null)?.[step] ?? null
  }
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function shown(text: string, zone: string): string {
  if (text === '') return words('form.nothing')
  return instant.test(text) ? fullOf(text, zone) : text
}
