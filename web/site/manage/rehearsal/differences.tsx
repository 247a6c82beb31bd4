import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Rehearsal } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { RehearsalDifference } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useDivisions, useMay, useTournamentId } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { Empty, Failure, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { fieldName, Value } from './fields.tsx'
import styles from './rehearsal.module.css'

/** What a rehearsal has otherwise than its tournament; organisers choose what of it the tournament is to have. (R6) */

interface Props {
  readonly rehearsal: Rehearsal
}

export function Differences({ rehearsal }: Props) {
  const { guid, of } = rehearsal
  const at = '/tournaments/{tournament}/rehearsals/{rehearsal}/differences'
  const read = useRead(address(at, { tournament: of, rehearsal: guid }))
  const tournament = useTournamentId()
  const nameOf = fieldName(useDivisions().data ?? [])
  const mayApply = useMay()('rehearsals.apply')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const choose = (field: string, isChosen: boolean) =>
    setChosen((all) => new Set(isChosen ? [...all, field] : [...all].filter((each) => each !== field)))
  const [isApplied, setApplied] = useState(false)
  return (
    <>
      <p role="status">
        {isApplied && (
          <>
            {words('rehearsal.applied')}{' '}
            <Link to="/manage/$tournament/schedule" params={{ tournament }}>
              {words('rehearsal.applied-schedule')}
            </Link>
          </>
        )}
      </p>
      <Loaded of={read} rows={3}>
        {({ differences, updatedAt }) => {
          if (differences.length === 0) return <Empty>{words('rehearsal.same')}</Empty>
          const wanted = differences.filter(({ field }) => chosen.has(field))
          return (
            <Section title={words('rehearsal.differences')}>
              {mayApply && differences.length > 1 && (
                <Several differences={differences} chosen={chosen} choose={(fields) => setChosen(new Set(fields))} />
              )}
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page can be scrolled by keys */}
              <section className="wide-content" tabIndex={0} aria-label={words('rehearsal.differences-table')}>
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">{words('rehearsal.field')}</th>
                      <th scope="col">{words('rehearsal.real')}</th>
                      <th scope="col">{words('rehearsal.tried')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {differences.map(({ field, real, rehearsal: tried }) => (
                      <tr key={field}>
                        <th scope="row">
                          {mayApply ? (
                            <label className="choice">
                              <input
                                type="checkbox"
                                checked={chosen.has(field)}
                                onChange={({ target }) => choose(field, target.checked)}
                              />
                              {nameOf(field)}
                            </label>
                          ) : (
                            nameOf(field)
                          )}
                        </th>
                        <td className={styles.value}>
                          <Value of={real} />
                        </td>
                        <td className={styles.value}>
                          <Value of={tried} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
              {mayApply && (
                <Apply
                  rehearsal={rehearsal}
                  wanted={wanted}
                  nameOf={nameOf}
                  updatedAt={updatedAt}
                  then={(applied) => {
                    setChosen(new Set())
                    setApplied(applied)
                    void read.refetch()
                  }}
                />
              )}
            </Section>
          )
        }}
      </Loaded>
    </>
  )
}

/** There may be many of these at once. */
const kinds = ['settings', 'bestOf', 'scheduledAt'] as const

interface SeveralProps {
  readonly differences: readonly RehearsalDifference[]
  readonly chosen: ReadonlySet<string>
  readonly choose: (fields: Iterable<string>) => void
}

/** Chooses all of a kind, such as the times of an evening. */
function Several({ differences, chosen, choose }: SeveralProps) {
  const fields = differences.map(({ field }) => field)
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are buttons, not fields
    <div className={`btns ${styles.several}`} role="group" aria-label={words('rehearsal.choose-several')}>
      {kinds.map((kind) => {
        const own = fields.filter((field) => field.startsWith(`${kind}/`))
        if (own.length < 2) return null
        return (
          <button key={kind} type="button" className="btn" onClick={() => choose([...chosen, ...own])}>
            {words(`rehearsal.choose-${kind}` as WordId, { count: own.length })}
          </button>
        )
      })}
      {chosen.size > 0 && (
        <button type="button" className="btn" onClick={() => choose([])}>
          {words('rehearsal.choose-none')}
        </button>
      )}
    </div>
  )
}

interface ApplyProps extends Props {
  readonly wanted: readonly RehearsalDifference[]
  readonly nameOf: (field: string) => string
  /** The last change of the tournament that the reader has seen. */
  readonly updatedAt: string
  /** The differences are no longer those that were read. */
  readonly then: (isApplied: boolean) => void
}

function Apply({ rehearsal: { guid, of }, wanted, nameOf, updatedAt, then }: ApplyProps) {
  const [preview, setPreview] = useState<readonly RehearsalDifference[] | null>(null)
  const at = 'POST /tournaments/{tournament}/rehearsals/{rehearsal}/apply'
  const sent = {
    params: { tournament: of, rehearsal: guid },
    body: { fields: wanted.map(({ field }) => field), expectedUpdatedAt: updatedAt },
  }
  const look = useWrite(at, (_known, { applied }) => setPreview(applied))
  const apply = useWrite(at, (known) => {
    known.renew(`/tournaments/${of}`)
    setPreview(null)
    then(true)
  })
  const ask = () => void look.send({ ...sent, query: { dryRun: true } })
  return (
    <>
      <div className={`btns ${styles.several}`}>
        <button
          type="button"
          className="btn btn-primary"
          aria-disabled={look.isSending || wanted.length === 0}
          onClick={ask}
        >
          {words('rehearsal.look', { count: wanted.length })}…
        </button>
        {wanted.length === 0 && <span className="muted">{words('rehearsal.choose')}</span>}
      </div>
      {look.error !== null && <Failure error={look.error} again={() => then(false)} isTrying={look.isSending} />}
      {preview !== null && (
        <Dialog title={words('rehearsal.apply-title')} close={() => setPreview(null)}>
          <Form error={apply.error} onSubmit={() => apply.send(sent)}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys where it is longer than the page */}
            <ul className={`lines ${styles.preview}`} tabIndex={0}>
              {preview.map(({ field, real, rehearsal: tried }) => (
                <li key={field}>
                  <span className="strong">{nameOf(field)}</span>
                  <br />
                  <s>
                    <Value of={real} />
                  </s>{' '}
                  <span aria-hidden="true">→</span>{' '}
                  <b>
                    <Value of={tried} />
                  </b>
                </li>
              ))}
            </ul>
            <p className="muted">{words('rehearsal.apply-what')}</p>
            <Save isSending={apply.isSending}>{words('rehearsal.apply')}</Save>
          </Form>
        </Dialog>
      )}
    </>
  )
}
