import { useState } from 'react'
import type { Report } from '../../../data/reports/types.ts'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { Connected } from '../../../parts/connected.tsx'
import { Form } from '../../../parts/form/form.tsx'
import { useForm } from '../../../parts/form/use-form.ts'
import { Key } from '../../../parts/key.tsx'
import { wholeOf } from '../../../parts/numbers.ts'
import { Section } from '../../../parts/section.tsx'
import { Walkover } from '../../../parts/walkover.tsx'
import { indexes } from '../people.ts'
import { nameAt, type View } from '../view.ts'
import styles from './cockpit.module.css'
import { useReporting } from './reporting.ts'

const tellGame = 'PUT /tournaments/{tournament}/matches/{match}/games/{number}' as const

/** A match without a session: its maps are told one after the other, the last one can be taken back. */
export function ByHand({ view }: { readonly view: View }) {
  const { match, tournament } = view
  const { waiting, keep } = useReporting(view)
  const queued = waiting.filter(({ game }) => !match.games.some(({ number }) => number === game))
  const next = Math.max(match.games.length, ...queued.map(({ game }) => game)) + 1
  const isDecided = queued.length > 0 && isDecidedBy(match, queued)
  const form = useForm({ key: `game-${match.guid}-${next}`, saved: { first: '', second: '' } })
  const [isWalkover, setWalkover] = useState(false)
  const params = { tournament, match: match.guid }
  const tell = useWrite(tellGame, (known) => known.renew(`/tournaments/${tournament}/matches/${match.guid}`))
  const take = useWrite('DELETE /tournaments/{tournament}/matches/{match}/games/{number}', (known) =>
    known.renew(`/tournaments/${tournament}/matches/${match.guid}`),
  )
  const { first, second } = form.values
  const values = [first, second]
  const submit = async () => {
    const sides = values.map((text) => ({ score: text === '' ? null : Number(text) }))
    const request = { at: tellGame, params: { ...params, number: String(next) }, body: { sides } }
    const lines = indexes.map((at) => ({
      who: String(at + 1),
      name: nameAt(view, at),
      values: sides[at] ?? { score: null },
    }))
    if ((await keep({ request, game: next, lines })) || (await tell.send(request))) form.take()
  }
  const last = match.games.at(-1)
  return (
    <Section title={words('live.by-hand')}>
      <div className={styles.hand}>
        {match.games.length + queued.length > 0 && (
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{words('cockpit.game')}</th>
                {indexes.map((at) => (
                  <th key={at} scope="col" className="n">
                    <bdi>{nameAt(view, at)}</bdi>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {match.games.map(({ number, sides, winner, map }) => (
                <tr key={number}>
                  <th scope="row">
                    {number} <bdi className="muted">{map?.name}</bdi>
                  </th>
                  {indexes.map((at) => (
                    <td key={at} className={`n ${winner === at + 1 ? 'strong' : ''}`}>
                      {sides[at]?.score == null ? '–' : wholeOf(sides[at].score)}
                    </td>
                  ))}
                </tr>
              ))}
              {queued.map(({ order, game, lines }) => (
                <tr key={order} className={styles.queued}>
                  <th scope="row">
                    {game} <span className="small">{words('reports.not-sent')}</span>
                  </th>
                  {lines.map(({ who, values: { score } }) => (
                    <td key={who} className="n">
                      {score === null ? '–' : wholeOf(score)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {isDecided ? (
          <p>{words('reports.decides')}</p>
        ) : (
          <Form error={tell.error ?? take.error} isChanged={form.isChanged} onSubmit={submit}>
            <fieldset className={styles.inline}>
              <legend className="strong">{words('live.game', { game: next })}</legend>
              {indexes.map((at) => (
                <label key={at} className="field">
                  <bdi>{nameAt(view, at)}</bdi>
                  <input
                    className="in num"
                    type="number"
                    inputMode="numeric"
                    min={0}
                    max={1_000_000_000}
                    required
                    value={values[at]}
                    onChange={({ target }) => form.set(at === 0 ? 'first' : 'second', target.value)}
                  />
                </label>
              ))}
              <button type="submit" className="btn btn-primary" data-key="s" aria-disabled={tell.isSending}>
                {words('cockpit.tell-game', { game: next })} <Key of="s" />
              </button>
            </fieldset>
          </Form>
        )}
        <Connected>
          <div className="btns">
            {last !== undefined && queued.length === 0 && (
              <button
                type="button"
                className="btn"
                data-key="u"
                aria-disabled={take.isSending}
                onClick={() => void take.send({ params: { ...params, number: String(last.number) } })}
              >
                {words('cockpit.take-game', { game: last.number })} <Key of="u" />
              </button>
            )}
            <button type="button" className="btn btn-danger" onClick={() => setWalkover(true)}>
              {words('live.walkover')}…
            </button>
          </div>
        </Connected>
      </div>
      {isWalkover && <Walkover match={match} tournament={{ id: tournament }} close={() => setWalkover(false)} />}
    </Section>
  )
}

/** Whether what is not sent ends the match. */
function isDecidedBy({ games, winsNeeded }: View['match'], queued: readonly Report[]): boolean {
  const winners = [
    ...games.map(({ winner }) => winner),
    ...queued.map(({ lines: [one, two] }) => {
      const lead = (one?.values.score ?? 0) - (two?.values.score ?? 0)
      return lead > 0 ? 1 : lead < 0 ? 2 : null
    }),
  ]
  return [1, 2].some((side) => winners.filter((winner) => winner === side).length >= winsNeeded)
}
