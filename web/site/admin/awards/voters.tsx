import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Awards, UserCard } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { AwardTurnout, VotersTogether } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { PersonField } from '../../parts/finder.tsx'
import { TextValue } from '../../parts/form/fields.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './awards.module.css'
import { Exclusions } from './exclusions.tsx'
import { RollButton } from './roll-button.tsx'

/** How many have voted; once voting is closed, what their accounts have in common, never what anybody chose. (A4, A7) */
export function Voters({ awards }: { readonly awards: Awards }) {
  const { guid, id, status } = awards
  const read = useRead(address('/admin/awards/{edition}/turnout', { edition: guid }))
  return (
    <>
      <Section
        title={words('admin-awards.turnout')}
        beside={(status === 'counting' || status === 'published') && <RollButton edition={guid} name={id} />}
      >
        <Loaded of={read} rows={4}>
          {(turnout) => (
            <>
              <p className={styles.turnout}>
                <b className="num">{turnout.voters}</b> {words('admin-awards.voters', { count: turnout.voters })}
                {turnout.countedAt !== null && (
                  <span className="muted">
                    , {words('admin-awards.counted-at')} <Instant at={turnout.countedAt} />
                  </span>
                )}
              </p>
              <p className="muted">
                {words(turnout.groups === null ? 'admin-awards.hourly' : 'admin-awards.no-choices')}
              </p>
              {turnout.groups !== null && <Groups of={turnout.groups} />}
            </>
          )}
        </Loaded>
      </Section>
      {status === 'counting' && <Exclusion awards={awards} />}
      {(status === 'counting' || status === 'published') && <Exclusions awards={awards} />}
    </>
  )
}

function Groups({ of }: { readonly of: NonNullable<AwardTurnout['groups']> }) {
  const { byJoining, byLinking, byTournamentsPlayed, sameHour, sameChatDay } = of
  const monthOf = (month: string | null) => month ?? words('admin-awards.no-link')
  return (
    <div className={styles.groups}>
      <Counts
        title={words('admin-awards.by-joining')}
        rows={byJoining.map(({ month, voters }) => [monthOf(month), voters])}
      />
      <Counts
        title={words('admin-awards.by-linking')}
        rows={byLinking.map(({ month, voters }) => [monthOf(month), voters])}
      />
      <Counts
        title={words('admin-awards.by-played')}
        rows={byTournamentsPlayed.map(({ tournamentsPlayed, voters }) => [String(tournamentsPlayed), voters])}
      />
      <Together title={words('admin-awards.same-hour')} groups={sameHour} />
      <Together title={words('admin-awards.same-chat-day')} groups={sameChatDay} />
    </div>
  )
}

function Counts({ title, rows }: { readonly title: ReactNode; readonly rows: readonly (readonly [string, number])[] }) {
  return (
    <Section title={title} level={3}>
      {rows.length === 0 ? (
        <Empty>{words('admin-awards.no-voters')}</Empty>
      ) : (
        <dl className="facts">
          {rows.map(([name, count]) => (
            <div key={name} className="contents">
              <dt>{name}</dt>
              <dd className="num">{count}</dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  )
}

/** Accounts that were made together may be one person's. Each is looked at before its votes are left out. */
function Together({ title, groups }: { readonly title: ReactNode; readonly groups: readonly VotersTogether[] }) {
  return (
    <Section title={title} level={3}>
      {groups.length === 0 ? (
        <Empty>{words('admin-awards.together-none')}</Empty>
      ) : (
        <ul className="lines">
          {groups.map((group) => (
            <TogetherLine key={group.at} of={group} />
          ))}
        </ul>
      )}
    </Section>
  )
}

/** So many names are asked for at a time. */
const namesAtOnce = 20

function TogetherLine({ of: { at, voters, users } }: { readonly of: VotersTogether }) {
  const [count, setCount] = useState(0)
  return (
    <li>
      <details onToggle={({ currentTarget }) => currentTarget.open && setCount(Math.max(count, namesAtOnce))}>
        <summary>
          <Instant at={at} />: {words('admin-awards.voters-of', { count: voters })}
        </summary>
        <ul className={styles.people}>
          {users.slice(0, count).map((user) => (
            <Person key={user} guid={user} />
          ))}
        </ul>
        {count < users.length && (
          <button type="button" className="btn" onClick={() => setCount(count + namesAtOnce)}>
            {words('list.more')}
          </button>
        )}
      </details>
    </li>
  )
}

function Person({ guid }: { readonly guid: string }) {
  const card = useRead(address('/users/{user}/card', { user: guid })).data
  return (
    <li>
      <a href={`/u/${guid}`}>
        <bdi>{card?.preferredName ?? card?.username ?? guid}</bdi>
      </a>
    </li>
  )
}

/** Leaves the votes of somebody out. (A7) */
function Exclusion({ awards: { guid, rules } }: { readonly awards: Awards }) {
  const [user, setUser] = useState<UserCard | null>(null)
  const [reason, setReason] = useState('')
  const exclude = useWrite('POST /admin/awards/{edition}/exclusions', (known) => {
    setUser(null)
    setReason('')
    known.renew('/admin/awards')
  })
  return (
    <Section title={words('admin-awards.exclude-title')}>
      <div className={styles.next}>
        <p className="muted">{words('admin-awards.exclude-what')}</p>
        {rules.tie === 'runoff' && <p className="muted">{words('admin-awards.does-fix')}</p>}
        <Danger
          label={words('admin-awards.exclude')}
          title={words('admin-awards.exclude-title')}
          isReady={user !== null && reason.trim() !== ''}
          error={exclude.error}
          isSending={exclude.isSending}
          act={() =>
            exclude.send({ params: { edition: guid }, body: { user: user?.guid ?? '', reason: reason.trim() } })
          }
        >
          <p>{words('admin-awards.exclude-does')}</p>
          <div className="field">
            <label htmlFor="excluded">{words('admin-awards.exclude-who')}</label>
            <PersonField id="excluded" placeholder={words('nominate.find-user')} chosen={user} choose={setUser} />
          </div>
          <TextValue
            name="reason"
            label={words('admin-awards.exclude-why')}
            value={reason}
            change={setReason}
            maxLength={500}
            isRequired
          />
        </Danger>
      </div>
    </Section>
  )
}
