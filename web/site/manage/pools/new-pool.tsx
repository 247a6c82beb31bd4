import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Pool } from '../../../../client/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { poolsAddress } from '../map-reads.ts'

/** Makes a pool, empty or with the maps and wanted numbers of another one. */

interface Props {
  /** The pool that is copied. */
  readonly from: Pool | null
  readonly pools: readonly Pool[]
  readonly close: () => void
}

export function NewPool({ from, pools, close }: Props) {
  const tournament = useTournamentId()
  const navigate = useNavigate()
  const form = useForm<{ readonly name: string; readonly kind: 'match' | 'qualifier'; readonly from: string }>({
    key: `new-pool-${tournament}-${from?.guid ?? ''}`,
    saved: {
      name: from === null ? '' : words('poolers.copy-of', { name: from.name }).slice(0, 100),
      kind: 'match',
      from: from?.guid ?? '',
    },
  })
  const copy = useWrite('POST /tournaments/{tournament}/pools/{pool}/imports')
  // Of a copy whose maps did not come, another attempt makes no second pool.
  const made = useRef<string | null>(null)
  const make = useWrite('POST /tournaments/{tournament}/pools', (known, pool) => {
    made.current = pool.guid
    known.change(poolsAddress(tournament), (all) => [...all.filter(({ guid }) => guid !== pool.guid), pool])
  })
  const { values } = form
  const submit = async () => {
    const source = pools.find(({ guid }) => guid === values.from)
    const body = {
      name: values.name.trim(),
      kind: values.kind,
      ...(source?.slots !== undefined && { slots: source.slots }),
      ...(source?.description && { description: source.description }),
    }
    if (made.current === null && !(await make.send({ params: { tournament }, body }))) return
    const pool = made.current
    if (pool === null) return
    if (source !== undefined) {
      const maps = { source: { kind: 'pool', poolGuid: source.guid } as const }
      if (!(await copy.send({ params: { tournament, pool }, body: maps }))) return
    }
    form.take()
    close()
    void navigate({ to: '/manage/$tournament/pools/$pool', params: { tournament, pool } })
  }
  return (
    <Dialog title={words(from === null ? 'poolers.new' : 'poolers.copy-title', { name: from?.name })} close={close}>
      <Form error={make.error ?? copy.error} onSubmit={submit}>
        <TextField form={form} name="name" label={words('poolers.name')} isRequired maxLength={100} />
        <SelectField
          form={form}
          name="kind"
          label={words('poolers.kind')}
          hint={words('poolers.kind-hint')}
          options={(['match', 'qualifier'] as const).map((kind) => [kind, words(`pool.${kind}`)] as const)}
        />
        <SelectField
          form={form}
          name="from"
          label={words('poolers.begin-with')}
          options={[['', words('poolers.begin-empty')], ...pools.map(({ guid, name }) => [guid, name] as const)]}
        />
        <p className="small muted">{words('poolers.new-hidden')}</p>
        <Save isSending={make.isSending || copy.isSending}>{words('poolers.make')}</Save>
      </Form>
    </Dialog>
  )
}
