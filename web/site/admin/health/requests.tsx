import { Link } from '@tanstack/react-router'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import { Table } from '../table.tsx'

/** What tournaments have asked of each platform. */

const columns = ['pending', 'approved', 'rejected', 'blocked', 'withdrawn'] as const

export function Requests() {
  const read = useRead(address('/admin/tournament-platforms/overview', {}))
  return (
    <Section title={words('health.requests')}>
      <Loaded of={read} rows={3}>
        {({ platforms, latestDecisions: [decision] }) => (
          <>
            <Table
              label={words('health.requests')}
              head={[words('admin.platform'), ...columns.map((each) => words(`health.${each}`))]}
              rows={platforms.map(({ platform, requests }) => [
                platform.guid,
                <Link key="name" to="/p/$platform" params={{ platform: platform.contextId }} className="plain">
                  <bdi>{platform.name}</bdi>
                </Link>,
                ...columns.map((each) => requests[each]),
              ])}
            />
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
