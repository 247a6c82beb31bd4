import { Link, useParams } from '@tanstack/react-router'
import { FaultOf } from '../../chrome/faults.tsx'
import type { Account } from '../../data/generated.ts'
import { type GlobalRole, hasRole, useGlobalRoles } from '../../data/global-roles.ts'
import { useRead, useReader } from '../../data/queries.ts'
import { type WordId, words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import { AccountFields } from './account.tsx'
import { Ban } from './ban.tsx'
import { accountAddress } from './change.ts'
import { StateOf } from './page.tsx'
import { Roles } from './roles.tsx'

/** One account: what it is, its roles, its links, and a ban. */
export function AdminUser() {
  const { user } = useParams({ from: '/admin/users/$user' })
  const read = useRead(accountAddress(user))
  const { roles = [] } = useGlobalRoles()
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page stack">
      <Loaded of={read} rows={10} hasTitle>
        {(account) => <Of account={account} by={roles} />}
      </Loaded>
    </div>
  )
}

function Of({ account, by }: { readonly account: Account; readonly by: readonly GlobalRole[] }) {
  const { user: reader } = useReader()
  const { guid, preferredName, chatPlatformId, joinedAt, globalRoles } = account
  const mayChange = hasRole(by, 'role:owner') || !globalRoles.includes('role:owner')
  return (
    <>
      <div className="title">
        <div>
          <p>
            <Link to="/admin/users">{words('admin.users')}</Link>
          </p>
          <h1>
            <bdi>{preferredName}</bdi>
          </h1>
          <p>
            <StateOf of={account} />
          </p>
        </div>
        <Link to="/u/$user" params={{ user: guid }} className="btn">
          {words('users.public')}
        </Link>
      </div>
      <dl className="facts">
        <dt>{words('users.chat-id')}</dt>
        <dd className="code">{chatPlatformId}</dd>
        <dt>{words('users.guid')}</dt>
        <dd className="code">{guid}</dd>
        <dt>{words('users.joined')}</dt>
        <dd>
          <Instant at={joinedAt} />
        </dd>
      </dl>
      {mayChange ? (
        <>
          <AccountFields of={account} />
          <Roles of={account} by={by} />
          <Ban of={account} isOwn={reader?.guid === guid} />
        </>
      ) : (
        <p className="notice">{words('users.of-owner')}</p>
      )}
      <Tournaments of={account} />
    </>
  )
}

function Tournaments({ of: { permissions } }: { readonly of: Account }) {
  const held = permissions.flatMap(({ role, tournament }) => (tournament === null ? [] : [{ role, tournament }]))
  return (
    <Section title={words('users.tournaments')}>
      {held.length === 0 && <Empty>{words('users.no-tournaments')}</Empty>}
      <ul className="lines">
        {held.map(({ role, tournament }) => (
          <li key={`${tournament.guid} ${role}`}>
            <Link to="/t/$tournament" params={{ tournament: tournament.id }}>
              <bdi>{tournament.name}</bdi>
            </Link>{' '}
            <span className="muted">{words(`role-one.${role.replace('role:', '')}` as WordId)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
