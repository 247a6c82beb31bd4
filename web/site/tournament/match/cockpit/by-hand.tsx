import { useState } from 'react'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { Form } from '../../../parts/form/form.tsx'
import { useForm } from '../../../parts/form/use-form.ts'
import { Key } from '../../../parts/key.tsx'
import { wholeOf } from '../../../parts/numbers.ts'
import { Section } from '../../../parts/section.tsx'
import { Walkover } from '../../../parts/walkover.tsx'
import { indexes } from '../people.ts'
import { nameAt, type View } from '../view.ts'
import styles from './cockpit.module.css'

/** A match without a session: its maps are told one after the other, the last one can be taken back. */
export function ByHand({ view }: { readonly view: View }) {
  const { match, tournament } = view
  const next = match.games.length + 1
  const form = useForm({ key: `game-${match.guid}-${next}`, saved: { first: '', second: '' } })
  const [isWalkover, setWalkover] = useState(false)
  const params = { tournament, match: match.guid }
  const tell = useWrite('PUT /tournaments/{tournament}/matches/{match}/games/{number}', (known) =>
    known.renew(`/tournaments/${tournament}/matches/${match.guid}`),
  )
  const take = useWrite('DELETE /tournaments/{tournament}/matches/{match}/games/{number}', (known) =>
    known.renew(`/tournaments/${tournament}/matches/${match.guid}`),
  )
  const { first, second } = form.values
  const values = [first, second]
  const submit = async () => {
    const sides = values.map((text) => ({ score: text === '' ? null : Number(text) }))
    if (await tell.send({ params: { ...params, number: String(next) }, body: { sides } })) form.take()
  }
  const last = match.games.at(-1)
  return (
    <Section title={words('live.by-hand')}>
      <div className={styles.hand}>
        {match.games.length > 0 && (
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
            </tbody>
          </table>
        )}
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
            <button type="submit" className="btn btn-primary" data-key="s" disabled={tell.isSending}>
              {words('cockpit.tell-game', { game: next })} <Key of="s" />
            </button>
          </fieldset>
        </Form>
        <div className="btns">
          {last !== undefined && (
            <button
              type="button"
              className="btn"
              data-key="u"
              disabled={take.isSending}
              onClick={() => void take.send({ params: { ...params, number: String(last.number) } })}
            >
              {words('cockpit.take-game', { game: last.number })} <Key of="u" />
            </button>
          )}
          <button type="button" className="btn btn-danger" onClick={() => setWalkover(true)}>
            {words('live.walkover')}…
          </button>
        </div>
      </div>
      {isWalkover && <Walkover match={match} tournament={{ id: tournament }} close={() => setWalkover(false)} />}
    </Section>
  )
}
