import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { UserCard } from '../../../../client/generated.ts'
import type { OwnPlatform, PlatformMember } from '../../data/generated.ts'
import { ownPlatformsAddress } from '../../data/platforms.ts'
import { useReader } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { PersonField } from '../../parts/finder.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { Empty } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Face } from '../../parts/team.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './manage.module.css'
import { settingsAddress } from './reads.ts'

/** Who decides on requests, and who changes the platform itself. */

type Role = PlatformMember['role']
const roles: readonly Role[] = ['reviewer', 'admin']

/** The answer about a member, in the place that they have or at the end. */
const withMember = (members: readonly PlatformMember[], member: PlatformMember): readonly PlatformMember[] =>
  members.some(({ user }) => user.guid === member.user.guid)
    ? members.map((each) => (each.user.guid === member.user.guid ? member : each))
    : [...members, member]

function usePutMember(platform: string, done = () => {}) {
  const { user } = useReader()
  return useWrite('POST /tournament-platforms/{platform}/members', (known, member) => {
    known.change(settingsAddress(platform), (all) => ({ ...all, members: withMember(all.members, member) }))
    if (member.user.guid === user?.guid) known.renew(ownPlatformsAddress)
    done()
  })
}

interface Props {
  readonly platform: OwnPlatform
  readonly members: readonly PlatformMember[]
}

export function Team({ platform, members }: Props) {
  return (
    <Section title={words('managing.team')}>
      <p className={`muted ${styles.intro}`}>{words('managing.team-intro')}</p>
      {members.length === 0 ? (
        <Empty>{words('managing.no-members')}</Empty>
      ) : (
        <ul className="lines">
          {members.map((member) => (
            <MemberLine key={member.user.guid} platform={platform} member={member} members={members} />
          ))}
        </ul>
      )}
      <Add platform={platform} />
    </Section>
  )
}

function MemberLine({ platform, member, members }: Props & { readonly member: PlatformMember }) {
  const { user, role, addedAt } = member
  const { contextId } = platform
  const name = user.preferredName
  const put = usePutMember(contextId)
  const reader = useReader().user
  const remove = useWrite('DELETE /tournament-platforms/{platform}/members/{user}', (known) => {
    known.change(settingsAddress(contextId), (all) => ({
      ...all,
      members: all.members.filter((each) => each.user.guid !== user.guid),
    }))
    if (user.guid === reader?.guid) known.renew(ownPlatformsAddress)
  })
  const isLast = role === 'admin' && members.filter((each) => each.role === 'admin').length === 1
  return (
    <li className={styles.member}>
      <Face name={name} picture={user.avatarUrl} />
      <div>
        <Link to="/u/$user" params={{ user: user.guid }} className="plain strong">
          <bdi>{name}</bdi>
        </Link>
        <p className="small muted">
          {words('managing.since')} <Instant at={addedAt} as="day" />
        </p>
        {put.error !== null && (
          <p role="alert">
            <bdi>{put.error.message || words('form.unreachable')}</bdi>
          </p>
        )}
      </div>
      {isLast ? (
        <span className="muted">
          {words('managing.role-admin')} <span className="small">{words('managing.last-admin')}</span>
        </span>
      ) : (
        <select
          className="in"
          aria-label={words('managing.role-of', { name })}
          value={role}
          aria-busy={put.isSending}
          onChange={({ target }) =>
            void put.send({
              params: { platform: contextId },
              body: { userIdentifier: user.guid, role: target.value as Role },
            })
          }
        >
          {roles.map((each) => (
            <option key={each} value={each}>
              {words(`managing.role-${each}`)}
            </option>
          ))}
        </select>
      )}
      <Danger
        label={words('managing.remove')}
        of={name}
        title={words('managing.remove-title', { name })}
        error={remove.error}
        isSending={remove.isSending}
        act={() => remove.send({ params: { platform: contextId, user: user.guid } })}
      >
        <p>{words('managing.remove-what', { left: members.length - 1, platform: platform.name })}</p>
        {isLast && <p className="notice notice-warning">{words('managing.remove-last')}</p>}
        <p className="muted">{words('managing.remove-undo')}</p>
      </Danger>
    </li>
  )
}

function Add({ platform: { contextId } }: Pick<Props, 'platform'>) {
  const id = useId()
  const [chosen, choose] = useState<UserCard | null>(null)
  const [role, setRole] = useState<Role>('reviewer')
  const put = usePutMember(contextId, () => choose(null))
  const submit = () => {
    if (chosen !== null) void put.send({ params: { platform: contextId }, body: { userIdentifier: chosen.guid, role } })
  }
  return (
    <Form error={put.error} onSubmit={submit} className={styles.add}>
      <div className={styles.fields}>
        <div className="field">
          <label htmlFor={id}>{words('managing.person')}</label>
          <PersonField id={id} chosen={chosen} choose={choose} placeholder={words('managing.person-hint')} />
        </div>
        <label className="field">
          <span>{words('managing.role')}</span>
          <select className="in" value={role} onChange={({ target }) => setRole(target.value as Role)}>
            {roles.map((each) => (
              <option key={each} value={each}>
                {words(`managing.role-${each}`)}
              </option>
            ))}
          </select>
        </label>
        <Save isSending={put.isSending} isDisabled={chosen === null}>
          {words('managing.add')}
        </Save>
      </div>
    </Form>
  )
}
