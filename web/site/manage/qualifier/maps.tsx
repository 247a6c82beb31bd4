import type { Qualifier } from '../../../../client/generated.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Empty } from '../../parts/loaded.tsx'
import { wholeOf } from '../../parts/numbers.ts'
import { Section } from '../../parts/section.tsx'
import { FillQualifier } from '../fill-qualifier.tsx'
import { boardAddress, nameOfMap, qualifierAddress, usePools } from '../map-reads.ts'
import styles from './qualifier.module.css'

/** The maps of the qualifier: taken from its pool, and weighed. */

export function QualifierMaps({ qualifier }: { readonly qualifier: Qualifier }) {
  const may = useMay()
  const pool = (usePools().data ?? []).find(({ kind, status }) => kind === 'qualifier' && status !== 'archived')
  const mayChange = may('qualifiers.put') && qualifier.status !== 'final'
  return (
    <Section
      title={words('qualifier.maps')}
      beside={
        pool !== undefined && mayChange && may('plans.fillQualifier') ? (
          <FillQualifier pool={pool} isSynced={pool.inSync} />
        ) : null
      }
    >
      {qualifier.maps.length === 0 ? (
        <Empty>{words(pool === undefined ? 'ledger.no-maps-no-pool' : 'ledger.no-maps-pool')}</Empty>
      ) : (
        <Weights qualifier={qualifier} mayChange={mayChange} />
      )}
    </Section>
  )
}

function Weights({ qualifier, mayChange }: { readonly qualifier: Qualifier; readonly mayChange: boolean }) {
  const tournament = useTournamentId()
  const { maps } = qualifier
  const form = useForm<Readonly<Record<string, number | null>>>({
    key: `qualifier-maps-${qualifier.guid}`,
    saved: Object.fromEntries(maps.map(({ guid, weight }) => [guid, weight])),
  })
  const put = useWrite('PUT /tournaments/{tournament}/qualifier', (known, reply) => {
    form.take()
    known.put(qualifierAddress(tournament), reply)
    known.renew(boardAddress(tournament))
  })
  const submit = () =>
    put.send({
      params: { tournament },
      body: {
        maps: maps.flatMap((map) => {
          const weight = form.values[map.guid]
          return weight === null ? [] : [{ ...map, weight: weight ?? map.weight }]
        }),
      },
    })
  return (
    <Form error={put.error} isChanged={form.isChanged} onSubmit={submit}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{words('maps.map')}</th>
            <th scope="col" className="narrow only-wide">
              {words('maps.difficulty')}
            </th>
            <th scope="col" className="n narrow only-wide">
              {words('map.max-score')}
            </th>
            <th scope="col" className="n narrow">
              {words('qualifier.weight')}
            </th>
            {mayChange && (
              <th scope="col" className="narrow acts">
                <span className="unseen">{words('ledger.acts')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {maps.map((map) => {
            const weight = form.values[map.guid]
            const name = nameOfMap(map)
            return (
              <tr key={map.guid}>
                <th scope="row" className={weight === null ? styles.void : ''}>
                  <bdi>{name}</bdi>
                </th>
                <td className="narrow only-wide">{map.difficulty.replace('Plus', '+')}</td>
                <td className="n only-wide">{map.maxScore === null ? '–' : wholeOf(map.maxScore)}</td>
                <td className="n">
                  {mayChange && weight !== null ? (
                    <input
                      className={`in num ${styles.weight}`}
                      type="number"
                      min={0.01}
                      max={1_000}
                      step="any"
                      required
                      aria-label={words('ledger.weight-of', { name })}
                      value={weight}
                      onChange={({ target }) => form.set(map.guid, Number(target.value))}
                    />
                  ) : (
                    (weight ?? '–')
                  )}
                </td>
                {mayChange && (
                  <td className="narrow acts">
                    <button
                      type="button"
                      className="btn btn-quiet"
                      onClick={() => (weight === null ? form.take(map.guid) : form.set(map.guid, null))}
                    >
                      {words(weight === null ? 'timeline.back' : 'settings.remove')}
                      <span className="unseen">{name}</span>
                    </button>
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
      {mayChange && (
        <Save isSending={put.isSending} isSaved={put.isDone && !form.isChanged} isDisabled={!form.isChanged}>
          {words('ledger.save-maps')}
        </Save>
      )}
    </Form>
  )
}
