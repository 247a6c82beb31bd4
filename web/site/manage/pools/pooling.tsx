import { useRead } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Failure, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { poolingAddress } from './reads.ts'

/** How maps are suggested and voted on. */

const settings = ['openSuggestions', 'hideVotes'] as const

export function PoolingSettings() {
  const tournament = useTournamentId()
  const may = useMay()
  const read = useRead(poolingAddress(tournament))
  const save = useWrite('PATCH /tournaments/{tournament}/pooling', (known, reply) =>
    known.put(poolingAddress(tournament), reply),
  )
  return (
    <Section title={words('poolers.rules')}>
      <Loaded of={read} rows={2}>
        {(pooling) => (
          <>
            {settings.map((name) => (
              <label key={name} className="choice">
                <input
                  type="checkbox"
                  checked={pooling[name]}
                  aria-disabled={!may('pooling.update') || save.isSending}
                  onChange={({ target }) =>
                    may('pooling.update') &&
                    !save.isSending &&
                    void save.send({ params: { tournament }, body: { [name]: target.checked } })
                  }
                />
                {words(`poolers.rule-${name}`)}
              </label>
            ))}
            {save.error !== null && <Failure error={save.error} again={save.again} isTrying={save.isSending} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}
