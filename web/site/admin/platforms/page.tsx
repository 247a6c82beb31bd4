import { Link } from '@tanstack/react-router'
import { address } from '../../data/api.ts'
import type { PlatformsOverview } from '../../data/generated.ts'
import { hasRole, useGlobalRoles } from '../../data/global-roles.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { DeletePlatform } from './delete.tsx'
import { NewPlatform } from './new.tsx'
import styles from './platforms.module.css'

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
          <ul className="lines">
            {platforms.map(({ platform, requests }) => (
              <li key={platform.guid} className={styles.line}>
                <div>
                  <p>
                    <Link to="/p/$platform" params={{ platform: platform.contextId }} className="plain strong">
                      <bdi>{platform.name}</bdi>
                    </Link>{' '}
                    <span className="code">{platform.contextId}</span>
                  </p>
                  <p className="small muted">
                    {words('platforms.counts', {
                      open: requests.pending,
                      listed: counts.get(platform.guid) ?? 0,
                      all: sum(requests),
                    })}
                  </p>
                </div>
                {platform.isSystem && <span className="muted">{words('platforms.system')}</span>}
                {mayChange && !platform.isSystem && (
                  <DeletePlatform
                    platform={platform}
                    requests={sum(requests)}
                    tournaments={counts.get(platform.guid)}
                  />
                )}
              </li>
            ))}
          </ul>
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
