import { useState } from 'react'
import type { Match } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form/form.tsx'
import { Loaded } from './loaded.tsx'

/** Begins a match by a flow and a pool that are chosen for it, where none is planned or others are wanted. (match-flows: Plan) */

interface Props {
  readonly match: Match
  readonly tournament: { readonly id: string }
  readonly close: () => void
}

type Option = readonly [value: string, text: string]

export function BeginWith({ match, tournament, close }: Props) {
  const [flow, setFlow] = useState('')
  const [pool, setPool] = useState('')
  const of = { tournament: tournament.id, match: match.guid }
  const planned = useRead(address('/tournaments/{tournament}/matches/{match}/flow', of))
  const flows = useRead(address('/tournaments/{tournament}/flows', { tournament: tournament.id }))
  const presets = useRead(address('/flow-presets', {}))
  const pools = useRead(address('/tournaments/{tournament}/pools', { tournament: tournament.id }))
  const begin = useWrite('POST /tournaments/{tournament}/matches/{match}/flow', (known) =>
    known.renew(`/tournaments/${tournament.id}/matches/${match.guid}`),
  )
  const fits = ({ seats, bestOf }: { readonly seats: number; readonly bestOf: number | null }) =>
    seats === 2 && (bestOf === null || bestOf === match.bestOf)
  const submit = async () => {
    const body = { ...(flow !== '' && { flowGuid: flow }), ...(pool !== '' && { poolGuid: pool }) }
    if (await begin.send({ params: of, body })) close()
  }
  const all = {
    ...flows,
    data: flows.data &&
      presets.data &&
      pools.data &&
      planned.data && { flows: flows.data, presets: presets.data, pools: pools.data, planned: planned.data },
    error: flows.error ?? presets.error ?? pools.error ?? planned.error,
  }
  return (
    <Dialog title={words('begin.title', { number: match.number })} close={close}>
      <Loaded of={all} rows={3}>
        {(found) => (
          <Form error={begin.error} onSubmit={submit}>
            <Choice
              label={words('begin.flow')}
              planned={found.planned.flow?.name}
              value={flow}
              set={setFlow}
              groups={[
                [words('flows.own'), found.flows.filter(fits).map(({ guid, name }): Option => [guid, name])],
                [words('flows.presets'), found.presets.filter(fits).map(({ name, title }): Option => [name, title])],
              ]}
            />
            <Choice
              label={words('begin.pool')}
              planned={found.planned.pool?.name ?? undefined}
              value={pool}
              set={setPool}
              groups={[
                [
                  words('begin.pools'),
                  found.pools
                    .filter(({ status }) => status === 'published')
                    .map(({ guid, name }): Option => [guid, name]),
                ],
              ]}
            />
            <div className="btns">
              <button type="submit" className="btn btn-primary" aria-disabled={begin.isSending}>
                {words('live.start')}
              </button>
              <button type="button" className="btn" onClick={close}>
                {words('danger.cancel')}
              </button>
            </div>
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

interface ChoiceProps {
  readonly label: string
  /** Its name; undefined where none is planned, so that one has to be chosen. */
  readonly planned: string | undefined
  readonly value: string
  readonly set: (value: string) => void
  readonly groups: readonly (readonly [label: string, options: readonly Option[]])[]
}

function Choice({ label, planned, value, set, groups }: ChoiceProps) {
  const shown = groups.filter(([, options]) => options.length > 0)
  return (
    <label className="field">
      <span>{label}</span>
      <select
        className="in"
        required={planned === undefined}
        value={value}
        onChange={({ target }) => set(target.value)}
      >
        <option value="">
          {planned === undefined ? words('cockpit.choose') : words('begin.planned', { name: planned })}
        </option>
        {shown.map(([name, options]) => (
          <optgroup key={name} label={name}>
            {options.map(([each, text]) => (
              <option key={each} value={each}>
                {text}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {planned === undefined && shown.length === 0 && <span className="small muted">{words('begin.none')}</span>}
    </label>
  )
}
