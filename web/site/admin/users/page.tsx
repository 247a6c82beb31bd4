import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { address } from '../../data/api.ts'
import type { AccountSummary } from '../../data/generated.ts'
import { usePages } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { FindForm } from '../../parts/find-form.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { More } from '../../parts/more.tsx'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import { Table } from '../table.tsx'
import { nameOfRole } from './roles.tsx'
import styles from './users.module.css'

/** All accounts, newest first, or those that are looked for. */

const route = getRouteApi('/admin/users')

export function AdminUsers() {
  const { q } = route.useSearch()
  const navigate = useNavigate({ from: '/admin/users' })
  const pages = usePages(address('/admin/users', {}, { ...(q !== undefined && { q }), limit: 25 }))
  const found = pages.data?.pages.flatMap(({ users }) => users)
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('admin.users')}</h1>
          <p>{words('users.intro')}</p>
        </div>
      </div>
      <FindForm
        q={q}
        label={words('users.find')}
        className={styles.find}
        find={(text) => void navigate({ search: text === '' ? {} : { q: text } })}
      />
      <Loaded of={{ data: found, error: pages.error, isFetching: pages.isFetching, refetch: pages.refetch }} rows={10}>
        {(users) =>
          users.length === 0 ? (
            <Empty>{words('users.none')}</Empty>
          ) : (
            <Table
              label={words('admin.users')}
              // On a phone the first two are seen without scrolling.
              head={[words('users.name'), words('users.state'), words('users.roles'), words('users.joined')]}
              rows={users.map((user) => [
                user.guid,
                <Link key="name" to="/admin/users/$user" params={{ user: user.guid }} className="plain">
                  <bdi>{user.preferredName}</bdi>{' '}
                  {user.username !== user.preferredName && <bdi className="muted">{user.username}</bdi>}
                </Link>,
                <StateOf key="state" of={user} />,
                user.globalRoles.map((role) => nameOfRole(role)).join(', '),
                <Instant key="joined" at={user.joinedAt} as="day" />,
              ])}
            />
          )
        }
      </Loaded>
      <More of={pages} />
    </div>
  )
}

export function StateOf({ of }: { readonly of: Pick<AccountSummary, 'bannedAt' | 'isPlaceholder' | 'isBot'> }) {
  if (of.bannedAt !== null)
    return (
      <State shape="off" tone="alert">
        {words('users.banned')}
      </State>
    )
  if (of.isPlaceholder)
    return (
      <State shape="waiting" tone="quiet">
        {words('users.placeholder')}
      </State>
    )
  return <State shape="ready">{words(of.isBot ? 'users.bot' : 'users.active')}</State>
}
