import { useState } from 'react'
import type { AuditEntry, TournamentWithParts } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useRead, useRenewal } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Meanwhile } from '../../parts/form/fields.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Ago } from '../../parts/time.tsx'
import { type Difference, differencesOf, isSame, nameOf, textOf } from '../said.ts'
import { type Card, type Draft, maxCards } from './draft.ts'
import styles from './updates.module.css'

/** Changes of settings that readers may want to know of, each choosable as a card with before and after. */

interface Offer {
  readonly card: Card
  readonly at: string
  readonly by: string | null
}

/** What outsiders do not see, or what says nothing in one line. */
const hidden = ['chatWebhookUrl', 'chatWebhooks', 'announcements', 'announcementRoles', 'visibilityScope', 'language']
const long = ['description', 'rules', 'prizes', 'additionalFields', 'imageUrl', 'bannerUrl']

/** The changes since then, several of one setting as one. */
function offersOf(entries: readonly AuditEntry[], since: string | undefined, zone: string): readonly Offer[] {
  const found = entries
    .filter(({ at }) => since === undefined || at > since)
    .flatMap((entry) => differencesOf(entry.before, entry.after).flatMap((each) => changeOf(entry, each)))
    .toSorted((one, other) => other.at.localeCompare(one.at))
  return [...Map.groupBy(found, ({ title }) => title)].flatMap(([title, [newest, ...older]]) => {
    if (newest === undefined) return []
    const before = (older.at(-1) ?? newest).before
    if (isSame(before, newest.after)) return []
    const card = { title, before: textOf(before, zone), after: textOf(newest.after, zone) }
    return [{ card, at: newest.at, by: newest.actor?.preferredName ?? null }]
  })
}

/** What is offered of an entry: settings that outsiders see, and times of matches. */
function changeOf({ type, at, actor, after: state }: AuditEntry, { member, before, after }: Difference) {
  const [first = ''] = member.split('.')
  if (type === 'tournament.updated' && !hidden.includes(first) && !long.includes(first))
    return [{ title: nameOf(member), before, after, at, actor }]
  const number = state?.number
  if (type === 'match.updated' && member === 'scheduledAt' && typeof number === 'number')
    return [{ title: words('composer.match', { number }), before, after, at, actor }]
  return []
}

interface Props {
  readonly form: FormState<Draft>
  readonly tournament: TournamentWithParts
  /** When the last update was published. */
  readonly last: string | undefined
}

export function Cards({ form, tournament, last }: Props) {
  const { guid, timezone, updatedAt } = tournament
  const at = (kind: string) => address('/tournaments/{tournament}/audit', { tournament: guid }, { kind, limit: 100 })
  const read = useRead(at('tournament'))
  const ofMatches = useRead(at('match')).data?.entries ?? []
  useRenewal(at('tournament'), updatedAt)
  const [isAll, setAll] = useState(false)
  const chosen = form.values.changes
  const isFull = chosen.length >= maxCards
  return (
    <fieldset className={styles.cards}>
      <legend className="strong">{words('composer.cards')}</legend>
      <p className="small muted">{words('composer.cards-hint')}</p>
      <Meanwhile form={form} name="changes" show={(cards) => textOf(cards, timezone)} />
      <Loaded of={read} rows={2}>
        {({ entries }) => {
          const offers = offersOf([...entries, ...ofMatches], isAll ? undefined : last, timezone)
          const others = chosen.filter((card) => !offers.some((offer) => isSame(offer.card, card)))
          return (
            <>
              {offers.length + others.length === 0 && (
                <Empty>
                  {words(last === undefined || isAll ? 'composer.no-changes' : 'composer.no-changes-since')}
                </Empty>
              )}
              <ul className="lines">
                {others.map((card) => (
                  <CardLine key={JSON.stringify(card)} card={card} form={form} isFull={isFull} />
                ))}
                {offers.map(({ card, at: changedAt, by }) => (
                  <CardLine key={JSON.stringify(card)} card={card} form={form} isFull={isFull} by={by} at={changedAt} />
                ))}
              </ul>
              {last !== undefined && !isAll && (
                <button type="button" className="btn btn-quiet" onClick={() => setAll(true)}>
                  {words('composer.earlier')}
                </button>
              )}
            </>
          )
        }}
      </Loaded>
    </fieldset>
  )
}

interface LineProps {
  readonly card: Card
  readonly form: FormState<Draft>
  readonly isFull: boolean
  readonly by?: string | null
  readonly at?: string
}

function CardLine({ card, form, isFull, by, at }: LineProps) {
  const { changes, content } = form.values
  const isChosen = changes.some((each) => isSame(each, card))
  const { title, before, after } = card as Readonly<Record<string, string>>
  const choose = () =>
    form.set('changes', isChosen ? changes.filter((each) => !isSame(each, card)) : [...changes, card])
  const insert = () => {
    const joint = content === '' ? '' : content.endsWith('\n') ? '' : '\n'
    form.set('content', `${content}${joint}- ${words('composer.inserted', { title, before, after })}`)
  }
  return (
    <li className={styles.card}>
      <label className="choice">
        <input type="checkbox" checked={isChosen} disabled={isFull && !isChosen} onChange={choose} />
        <span>
          <strong dir="auto">{title}</strong> <s dir="auto">{before}</s> <span aria-hidden="true">→</span>{' '}
          <span dir="auto">{after}</span>
          {at !== undefined && (
            <span className="small muted">
              {' '}
              <bdi>{by ?? words('settings.service')}</bdi>, <Ago at={at} />
            </span>
          )}
        </span>
      </label>
      <button type="button" className="btn btn-quiet" onClick={insert}>
        {words('composer.insert')}
        <span className="unseen">{title}</span>
      </button>
    </li>
  )
}
