import { Link, useParams } from '@tanstack/react-router'
import type { Flow } from '../../../../client/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { FlowForm } from './flow-form.tsx'
import styles from './flows.module.css'
import { partsOf } from './model.ts'
import { bestText, flowAddress } from './page.tsx'
import { Sentences } from './sentences-list.tsx'
import { Running, Uses } from './usage.tsx'

/** A flow: edited by those who may, read by all other staff. */
export function ManageFlow() {
  const tournament = useTournamentId()
  const { flow = '' } = useParams({ strict: false })
  const { data } = useTournament()
  const may = useMay()
  const read = useRead(flowAddress(tournament, flow), { live: true })
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={10} title={words('manage.flows')}>
        {(found: Flow) => (
          <>
            <div className="title">
              <div>
                <p>
                  <Link to="/manage/$tournament/flows" params={{ tournament }}>
                    {words('manage.flows')}
                  </Link>
                </p>
                <h1 data-title={`${found.name} · ${data?.name ?? ''}`}>
                  <bdi>{found.name}</bdi>
                </h1>
                <p className="muted">{bestText(found.bestOf)}</p>
              </div>
            </div>
            <Section title={words('flows.used')}>
              <div className={styles.used}>
                <Uses of={found.guid} />
                <Running of={found.guid} />
              </div>
            </Section>
            {may('flows.replace') ? (
              <FlowForm key={found.guid} flow={found} />
            ) : (
              <Section title={words('flows.steps')}>
                <Sentences parts={partsOf(found)} />
              </Section>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}
