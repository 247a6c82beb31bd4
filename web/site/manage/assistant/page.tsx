import { ApiError, address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import styles from './assistant.module.css'
import { Bridge } from './bridge.tsx'
import { Check } from './check.tsx'
import { LinkForm } from './link-form.tsx'
import { Proposals } from './proposals.tsx'
import { Push } from './push.tsx'
import { Sessions } from './sessions.tsx'

/** The match assistant: the link to it, what runs by it now, and what songs came to. */

export const linkAddress = (tournament: string) => address('/tournaments/{tournament}/assistant', { tournament })

export function ManageAssistant() {
  const tournament = useTournamentId()
  const { data } = useTournament()
  const may = useMay()
  const link = useRead(linkAddress(tournament), { live: true })
  const isWithout = link.error instanceof ApiError && link.error.code === 'assistant.not_linked'
  return (
    <div className="page wide stack">
      <div className="title">
        <div>
          <h1 data-title={`${words('manage.assistant')} · ${data?.name ?? ''}`}>{words('manage.assistant')}</h1>
          <p className={styles.text}>{words('assistant.intro')}</p>
        </div>
      </div>
      <Proposals />
      {!isWithout && (
        <Section title={words('assistant.sessions')}>
          <Sessions />
        </Section>
      )}
      <Section title={words('assistant.link')}>
        {isWithout ? (
          <Empty>{words(may('assistant.update') ? 'assistant.none' : 'assistant.none-yet')}</Empty>
        ) : (
          <Loaded of={link} rows={6}>
            {(found) => <Check link={found} />}
          </Loaded>
        )}
        {may('assistant.update') && (isWithout || link.data !== undefined) && (
          <LinkForm key={isWithout ? 'new' : 'there'} link={isWithout ? null : (link.data ?? null)} />
        )}
      </Section>
      {may('assistant.push') && link.data !== undefined && !isWithout && (
        <Section title={words('assistant.push')}>
          <Push />
        </Section>
      )}
      {may('bridgeTickets.make') && (
        <Section title={words('assistant.bridge')}>
          <Bridge />
        </Section>
      )}
    </div>
  )
}
