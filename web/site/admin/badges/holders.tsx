import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { UserCard } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { Badge, BadgeHolder } from '../../data/generated.ts'
import { usePages } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { PersonField } from '../../parts/finder.tsx'
import { TextValue } from '../../parts/form/fields.tsx'
import { Empty, Failure, Loaded } from '../../parts/loaded.tsx'
import { More } from '../../parts/more.tsx'
import { Section } from '../../parts/section.tsx'
import { Face } from '../../parts/team.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './badges.module.css'

/** Who holds a badge: it is given to more people here, and taken from some. */

const nameOf = (user: UserCard): string => user.preferredName ?? user.username

export function Holders({ badge }: { readonly badge: Badge }) {
  const { guid, holders: count, retiredAt } = badge
  const pages = usePages(address('/badges/{badge}/holders', { badge: guid }, { limit: 50 }))
  const found = pages.data?.pages.flatMap(({ holders }) => holders)
  return (
    <Section
      title={words('badges.held-by')}
      beside={<span className="muted">{words('badges.holders', { count })}</span>}
    >
      {retiredAt === null && <Granting badge={badge} />}
      <Loaded of={{ ...pages, data: found }} rows={4}>
        {(holders) =>
          holders.length === 0 ? (
            <Empty>{words('badges.nobody')}</Empty>
          ) : (
            <>
              <ul className="lines">
                {holders.map((holder) => (
                  <Line key={holder.guid} badge={badge} holder={holder} />
                ))}
              </ul>
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

function Granting({ badge: { guid, name } }: { readonly badge: Badge }) {
  const id = useId()
  const [user, setUser] = useState<UserCard | null>(null)
  const [label, setLabel] = useState('')
  const [told, tell] = useState('')
  const grant = useWrite('POST /badges/{badge}/grants', (known, { granted }) => {
    tell(words(granted.length > 0 ? 'admin-badges.given' : 'admin-badges.held', { name: user ? nameOf(user) : '' }))
    setUser(null)
    setLabel('')
    known.renew(`/badges/${guid}`)
    known.renew('/badges?')
  })
  const send = () => {
    if (user === null) return
    tell('')
    const given = { user: user.guid, ...(label.trim() && { label: label.trim() }) }
    void grant.send({ params: { badge: guid }, body: { users: [given] } })
  }
  return (
    <form
      className={styles.grant}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className="field">
        <label htmlFor={id}>{words('admin-badges.give-to', { name })}</label>
        <PersonField key={told} id={id} placeholder={words('nominate.find-user')} chosen={user} choose={setUser} />
      </div>
      <div className="field">
        <label htmlFor={`${id}l`}>{words('admin-badges.label')}</label>
        <input
          id={`${id}l`}
          className="in"
          dir="auto"
          maxLength={60}
          value={label}
          autoComplete="off"
          onChange={({ target }) => setLabel(target.value)}
        />
      </div>
      <button type="submit" className="btn btn-primary" aria-disabled={user === null || grant.isSending}>
        {words('admin-badges.give')}
      </button>
      <p role="status" className="muted">
        {told}
      </p>
      {grant.error && <Failure error={grant.error} again={send} isTrying={grant.isSending} />}
    </form>
  )
}

function Line({ badge, holder }: { readonly badge: Badge; readonly holder: BadgeHolder }) {
  const { guid, user, label, awardedAt, source } = holder
  const [reason, setReason] = useState('')
  const revoke = useWrite('POST /badges/{badge}/grants/{badgeGrant}/revoke', (known) => {
    known.renew(`/badges/${badge.guid}`)
    known.renew('/badges?')
  })
  return (
    <li className={styles.holder}>
      <Face name={nameOf(user)} picture={user.avatarUrl} />
      <Link to="/u/$user" params={{ user: user.guid }} className="plain">
        <bdi>{nameOf(user)}</bdi>
      </Link>
      <span className="muted" dir="auto">
        {label}
      </span>
      <span className="muted">
        {words(`admin-badges.by-${source}`)}, <Instant at={awardedAt} as="day" />
      </span>
      <Danger
        label={words('admin-badges.revoke')}
        of={nameOf(user)}
        title={words('admin-badges.revoke-title', { name: nameOf(user) })}
        isReady={reason.trim() !== ''}
        error={revoke.error}
        isSending={revoke.isSending}
        act={() => revoke.send({ params: { badge: badge.guid, badgeGrant: guid }, body: { reason: reason.trim() } })}
      >
        <p>{words('admin-badges.revoke-what', { badge: badge.name })}</p>
        <TextValue
          name="reason"
          label={words('admin-awards.exclude-why')}
          value={reason}
          change={setReason}
          maxLength={500}
          isRequired
        />
      </Danger>
    </li>
  )
}
