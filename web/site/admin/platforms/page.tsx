import { Link } from '@tanstack/react-router'
import { address } from '../../data/api.ts'
import type { PlatformsOverview } from '../../data/generated.ts'
import { hasRole, useGlobalRoles } from '../../data/global-roles.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Table } from '../table.tsx'
import { DeletePlatform } from './delete.tsx'
import { NewPlatform } from './new.tsx'

/** All platforms. Owners and developers make and delete them. */

export function AdminPlatforms() {
  const overview = useRead(address('/admin/tournament-platforms/overview', {}))
  const listed = useRead(address('/tournament-platforms', {}))
  const { roles = [] } = useGlobalRoles()
  const mayChange = hasRole(roles, 'role:dev')
  const counts = new Map(listed.data?.map(({ guid, counts: { tournaments } }) => [guid, tournaments]))
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1>{words('admin.platforms')}</h1>
          <p>{words('platforms.intro')}</p>
        </div>
      </div>
      <Loaded of={overview} rows={5}>
        {({ platforms }) => (
          <Table
            label={words('admin.platforms')}
            head={[
              words('platforms.name'),
              words('platforms.id'),
              words('platforms.listed'),
              words('platforms.pending'),
              ...(mayChange ? [words('platforms.acts')] : []),
            ]}
            rows={platforms.map(({ platform, requests }) => [
              platform.guid,
              <Link key="name" to="/p/$platform" params={{ platform: platform.contextId }} className="plain">
                <bdi>{platform.name}</bdi>
              </Link>,
              <span key="id" className="code">
                {platform.contextId}
              </span>,
              counts.get(platform.guid) ?? '–',
              requests.pending,
              ...(mayChange
                ? [
                    platform.isSystem ? (
                      <span key="acts" className="muted">
                        {words('platforms.system')}
                      </span>
                    ) : (
                      <DeletePlatform
                        key="acts"
                        platform={platform}
                        requests={sum(requests)}
                        tournaments={counts.get(platform.guid)}
                      />
                    ),
                  ]
                : []),
            ])}
          />
        )}
      </Loaded>
      {mayChange && (
        <Section title={words('platforms.new')}>
          <NewPlatform />
        </Section>
      )}
    </div>
  )
}

const sum = (requests: PlatformsOverview['platforms'][number]['requests']) =>
  Object.values(requests).reduce((all, each) => all + each, 0)
