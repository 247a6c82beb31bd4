import { useEffect, useState } from 'react'
import type { Account } from '../../data/generated.ts'
import { readNow } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Danger } from '../../parts/danger.tsx'
import { TextValue } from '../../parts/form/fields.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import { accountAddress, useAccountChange } from './change.ts'
import styles from './users.module.css'

/** A ban, with what it does in numbers, and its end. (W19) */

const maxReason = 500

export function Ban({ of, isOwn }: { readonly of: Account; readonly isOwn: boolean }) {
  if (of.bannedAt !== null) return <Banned of={of} at={of.bannedAt} />
  return (
    <Section title={words('ban.title')}>
      <div className={styles.ban}>
        <p className="prose">{words(isOwn ? 'ban.own' : 'ban.what')}</p>
        {!isOwn && <NewBan of={of} />}
      </div>
    </Section>
  )
}

function NewBan({ of }: { readonly of: Account }) {
  const [reason, setReason] = useState('')
  const change = useAccountChange(of.guid)
  const { permissions, streamKeys, globalRoles } = of
  const inTournaments = permissions.filter(({ scope }) => scope === 'tournament')
  const organised = inTournaments.filter(({ role }) => role === 'organiser').length
  const ban = () =>
    change.send({
      params: { user: of.guid },
      body: { banned: true, banReason: reason.trim() === '' ? null : reason.trim() },
    })
  return (
    <Danger
      label={words('ban.do')}
      title={words('ban.ask', { name: of.preferredName })}
      error={change.error}
      isSending={change.isSending}
      act={ban}
    >
      <ul>
        <Ended of={of} />
        <li>{words('ban.roles', { count: inTournaments.length - organised, global: globalRoles.length })}</li>
        <li>{words('ban.organised', { count: organised })}</li>
        <li>{words('ban.keys', { count: streamKeys.length })}</li>
        <li>{words('ban.quiet')}</li>
        <li>{words('ban.stays')}</li>
      </ul>
      <TextValue
        name="banReason"
        label={words('ban.reason')}
        hint={words('ban.reason-hint')}
        value={reason}
        change={setReason}
        maxLength={maxReason}
        rows={3}
      />
      <p>{words('ban.undo')}</p>
    </Danger>
  )
}

/** What acts for somebody when the question is asked, which may have changed since the page was opened. */
function Ended({ of: { guid, access, liveStreams, controlledAssistants } }: { readonly of: Account }) {
  useEffect(() => {
    // Without an answer, the numbers are those with which the page was opened.
    readNow(accountAddress(guid)).catch(() => {})
  }, [guid])
  const { websites, clients, applications, tokens } = access
  return (
    <>
      <li>{words('ban.sessions', { websites, clients })}</li>
      <li>{words('ban.applications', { count: applications, tokens })}</li>
      <li>{words('ban.streams', { count: liveStreams })}</li>
      <li>{words('ban.assistants', { count: controlledAssistants })}</li>
    </>
  )
}

function Banned({ of, at }: { readonly of: Account; readonly at: string }) {
  const change = useAccountChange(of.guid)
  return (
    <Section title={words('ban.title')}>
      <div className="notice notice-alert">
        <p className="push">
          {words('ban.since')} <Instant at={at} />. {of.banReason === null ? words('ban.no-reason') : null}
          {of.banReason !== null && <bdi>{of.banReason}</bdi>}
        </p>
        <Danger
          label={words('ban.lift')}
          title={words('ban.lift-ask', { name: of.preferredName })}
          isPlain
          error={change.error}
          isSending={change.isSending}
          act={() => change.send({ params: { user: of.guid }, body: { banned: false } })}
        >
          <p>{words('ban.lift-what')}</p>
        </Danger>
      </div>
    </Section>
  )
}
