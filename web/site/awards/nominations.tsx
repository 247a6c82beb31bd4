import { useId, useState } from 'react'
import type { AwardCategory, UserCard } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import type { Nomination } from '../data/generated.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { say } from '../parts/announcer.tsx'
import { type FoundTeam, type FoundTournament, PersonField, TeamField, TournamentField } from '../parts/finder.tsx'
import { Failure, Loaded } from '../parts/loaded.tsx'
import styles from './awards.module.css'

/** What the reader nominates in a category, and one more, as long as there may be. */

const listAddress = (edition: string, category: string) =>
  address('/awards/{edition}/categories/{category}/nominations', { edition, category })

interface Props {
  readonly edition: string
  readonly category: AwardCategory
  /** So many the reader may nominate. */
  readonly most: number
}

export function Nominations({ edition, category, most }: Props) {
  const read = useRead(listAddress(edition, category.guid))
  return (
    <Loaded of={read} rows={2}>
      {({ nominations }) => {
        const own = nominations.filter(({ isOwn }) => isOwn)
        return (
          <>
            <ul className="lines">
              {own.map((nomination) => (
                <Own key={nomination.guid} edition={edition} nomination={nomination} />
              ))}
            </ul>
            {own.length < most ? (
              <One key={own.length} edition={edition} category={category} left={most - own.length} />
            ) : (
              <p className="muted">{words('nominate.full', { count: most })}</p>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

const nameOf = ({ label, user, team, tournament }: Nomination): string =>
  user?.preferredName ?? team?.name ?? tournament?.name ?? label ?? ''

function Own({ edition, nomination }: { readonly edition: string; readonly nomination: Nomination }) {
  const { guid, categoryGuid, reason } = nomination
  const name = nameOf(nomination)
  const remove = useWrite('DELETE /awards/{edition}/categories/{category}/nominations/{nomination}', (known) => {
    known.change(listAddress(edition, categoryGuid), (list) => ({
      ...list,
      nominations: list.nominations.filter((each) => each.guid !== guid),
    }))
    say(words('nominate.removed', { name }))
  })
  const send = () => void remove.send({ params: { edition, category: categoryGuid, nomination: guid } })
  return (
    <li className={styles.own}>
      <span>
        <bdi className="strong">{name}</bdi>
        {reason !== null && (
          <span className="muted small" dir="auto">
            {' '}
            {reason}
          </span>
        )}
      </span>
      <button type="button" className="btn btn-quiet" aria-disabled={remove.isSending} onClick={send}>
        {words('nominate.remove')}
        <span className="unseen"> {name}</span>
      </button>
      {remove.error && <Failure error={remove.error} again={send} isTrying={remove.isSending} />}
    </li>
  )
}

type Target = UserCard | FoundTeam | FoundTournament

/** A nomination: a record that is looked for, or in the reader's words. */
function One({ edition, category, left }: Omit<Props, 'most'> & { readonly left: number }) {
  const id = useId()
  const { guid, name, nomineeType } = category
  const [target, choose] = useState<Target | null>(null)
  const [label, setLabel] = useState('')
  const [link, setLink] = useState('')
  const [reason, setReason] = useState('')
  const make = useWrite('POST /awards/{edition}/categories/{category}/nominations', (known, made) => {
    known.change(listAddress(edition, guid), (list) => ({ ...list, nominations: [made, ...list.nominations] }))
    say(words('nominate.done', { name: nameOf(made) }))
  })
  const isRecord = nomineeType === 'user' || nomineeType === 'team' || nomineeType === 'tournament'
  const isReady = isRecord ? target !== null : label.trim() !== ''
  const send = () => {
    if (!isReady) return
    const what = isRecord ? { target: target?.guid ?? '' } : { label: label.trim(), ...(link && { link }) }
    const params = { edition, category: guid }
    void make.send({ params, body: { ...what, ...(reason.trim() && { reason: reason.trim() }) } })
  }
  const field = { id, choose, placeholder: words(`nominate.find-${isRecord ? nomineeType : 'other'}`) }
  return (
    <form
      className={styles.nominate}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className="field">
        <label htmlFor={id}>{words('nominate.what', { category: name, left })}</label>
        {nomineeType === 'user' ? (
          <PersonField {...field} chosen={target as UserCard | null} />
        ) : nomineeType === 'team' ? (
          <TeamField {...field} chosen={target as FoundTeam | null} />
        ) : nomineeType === 'tournament' ? (
          <TournamentField {...field} chosen={target as FoundTournament | null} />
        ) : (
          <input
            id={id}
            className="in"
            value={label}
            maxLength={100}
            placeholder={field.placeholder}
            dir="auto"
            autoComplete="off"
            onChange={({ target: { value } }) => setLabel(value)}
          />
        )}
      </div>
      {!isRecord && (
        <div className="field">
          <label htmlFor={`${id}link`}>{words('nominate.link')}</label>
          <input
            id={`${id}link`}
            className="in"
            type="url"
            value={link}
            autoComplete="off"
            onChange={({ target: { value } }) => setLink(value)}
          />
        </div>
      )}
      <div className="field">
        <label htmlFor={`${id}why`}>{words('nominate.reason')}</label>
        <input
          id={`${id}why`}
          className="in"
          value={reason}
          maxLength={500}
          dir="auto"
          autoComplete="off"
          onChange={({ target: { value } }) => setReason(value)}
        />
      </div>
      <div className="btns">
        <button type="submit" className="btn" aria-disabled={!isReady || make.isSending}>
          {words('nominate.do')}
          <span className="unseen"> {name}</span>
        </button>
      </div>
      {make.error && <Failure error={make.error} again={send} isTrying={make.isSending} />}
    </form>
  )
}
