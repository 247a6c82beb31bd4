import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { address } from '../data/api.ts'
import type { OwnPlatform } from '../data/generated.ts'
import { mayManage, useOwnPlatforms } from '../data/platforms.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Pending } from '../parts/loaded.tsx'
import { SignedIn } from '../parts/signed-in.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { FaultOf, ForbiddenPage } from './faults.tsx'

/** The frame of the pages for those who run a platform: its tabs, and who may see which page. (W2) */

interface Props {
  /** The heading for readers without a session. */
  readonly title: string
  readonly isManaging?: boolean
  readonly children: (platform: OwnPlatform) => ReactNode
}

export function PlatformFrame(props: Props) {
  return (
    <SignedIn title={props.title} why={words('review.sign-in')}>
      {() => <OfReader {...props} />}
    </SignedIn>
  )
}

function OfReader({ title, isManaging = false, children }: Props) {
  const name = String(useParams({ strict: false }).platform).toLowerCase()
  const own = useOwnPlatforms()
  const platform = own.data?.find(({ contextId, guid }) => contextId === name || guid === name)
  // A platform that is not the reader's may not exist either.
  const record = useRead(address('/tournament-platforms/{platform}', { platform: name }), {
    enabled: own.data !== undefined && platform === undefined,
  })
  const failed = [own, record].find(({ data, error }) => data === undefined && error !== null)
  if (failed?.error) return <FaultOf error={failed.error} again={() => void failed.refetch()} />
  if (platform === undefined) return record.data === undefined ? <Pending title={title} /> : <ForbiddenPage />
  if (isManaging && !mayManage(platform)) return <ForbiddenPage />
  const params = { platform: platform.contextId }
  return (
    <>
      <Tabs
        label={words('review.pages')}
        name={
          <Link to="/p/$platform" params={params}>
            <bdi>{platform.name}</bdi>
          </Link>
        }
      >
        <li>
          <Link to="/review/$platform" params={params}>
            {words('review.requests')}
          </Link>
        </li>
        {mayManage(platform) && (
          <li>
            <Link to="/platforms/$platform/manage" params={params}>
              {words('managing.title')}
            </Link>
          </li>
        )}
        {(own.data?.length ?? 0) > 1 && (
          <li>
            <Link to="/review" activeOptions={{ exact: true }}>
              {words('review.all-platforms')}
            </Link>
          </li>
        )}
      </Tabs>
      {children(platform)}
    </>
  )
}
