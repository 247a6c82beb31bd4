import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { address } from '../../data/api.ts'
import type { PlatformsOverview } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import { Table } from '../table.tsx'

/** What tournaments have asked of each platform. */

const columns = ['pending', 'approved', 'rejected', 'blocked', 'withdrawn'] as const

/** How many platforms are shown at first: of more, those on which most requests wait. */
const mostShown = 10

type Line = PlatformsOverview['platforms'][number]

export function Requests() {
  const read = useRead(address('/admin/tournament-platforms/overview', {}))
  return (
    <Section title={words('health.requests')}>
      <Loaded of={read} rows={3}>
        {({ platforms, latestDecisions: [decision] }) => (
          <>
            <Platforms all={platforms} />
            {decision !== undefined && (
              <p className="muted">
                {words('health.decided', { tournament: decision.tournament.name })} <Instant at={decision.decidedAt} />
              </p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function Platforms({ all }: { readonly all: readonly Line[] }) {
  const [isWhole, setWhole] = useState(false)
  const inOrder = all.toSorted((one, other) => other.requests.pending - one.requests.pending)
  const shown = isWhole ? inOrder : inOrder.slice(0, mostShown)
  return (
    <>
      <Table
        label={words('health.requests')}
        head={[words('admin.platform'), ...columns.map((each) => words(`health.${each}`))]}
        rows={shown.map(({ platform, requests }) => [
          platform.guid,
          <Link key="name" to="/p/$platform" params={{ platform: platform.contextId }} className="plain">
            <bdi>{platform.name}</bdi>
          </Link>,
          ...columns.map((each) => requests[each]),
        ])}
      />
      {shown.length < all.length && (
        <p>
          <button type="button" className="btn" onClick={() => setWhole(true)}>
            {words('health.all-platforms', { count: all.length })}
          </button>
        </p>
      )}
    </>
  )
}
