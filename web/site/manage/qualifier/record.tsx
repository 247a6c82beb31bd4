import { useId, useState } from 'react'
import type { Qualifier, UserCard } from '../../../../client/generated.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { say } from '../../parts/announcer.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { PersonField } from '../../parts/finder.tsx'
import { NumberField, SelectField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Icon } from '../../parts/icon.tsx'
import { boardAddress, nameOfMap } from '../map-reads.ts'
import { ledgerPath } from './reads.ts'

/** An attempt that came in by other ways, such as a picture of the screen. */

const ends = ['passed', 'failed', 'quit'] as const

interface Values {
  readonly map: string
  readonly score: number | null
  readonly misses: number | null
  readonly completion: string
  readonly playedAt: string | null
}

export function RecordAttempt({ qualifier }: { readonly qualifier: Qualifier }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn" aria-disabled={qualifier.maps.length === 0} onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {words('ledger.record')}
      </button>
      {isOpen && <RecordDialog qualifier={qualifier} close={() => setOpen(false)} />}
    </>
  )
}

function RecordDialog({ qualifier, close }: { readonly qualifier: Qualifier; readonly close: () => void }) {
  const tournament = useTournamentId()
  const zone = useTournament().data?.timezone ?? 'UTC'
  const id = useId()
  const [player, setPlayer] = useState<UserCard | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { maps } = qualifier
  const form = useForm<Values>({
    key: `record-${qualifier.guid}`,
    saved: { map: maps[0]?.guid ?? '', score: null, misses: null, completion: 'passed', playedAt: null },
  })
  const record = useWrite('POST /tournaments/{tournament}/qualifier/attempts', (known, { accepted, rejected }) => {
    known.renew(ledgerPath(tournament))
    known.renew(boardAddress(tournament))
    setRefusal(rejected[0]?.message ?? null)
    if (accepted.length === 0) return
    say(words('ledger.recorded'))
    form.take()
    close()
  })
  const { map, score, misses, completion, playedAt } = form.values
  const submit = () => {
    if (player === null || score === null) return
    void record.send({
      params: { tournament },
      body: {
        attempts: [
          {
            mapGuid: map,
            user: player.guid,
            score,
            ...(misses !== null && { misses }),
            completion: ends.find((end) => end === completion) ?? 'passed',
            source: 'manual',
            ...(playedAt !== null && { playedAt }),
          },
        ],
      },
    })
  }
  return (
    <Dialog title={words('ledger.record-title')} close={close}>
      <Form error={record.error} onSubmit={submit}>
        {refusal !== null && record.error === null && (
          <p className="notice notice-alert" role="alert">
            {refusal}
          </p>
        )}
        <div className="field">
          <label htmlFor={id}>{words('qualifier.player')}</label>
          <PersonField id={id} chosen={player} choose={setPlayer} placeholder={words('ledger.player-hint')} />
        </div>
        <SelectField
          form={form}
          name="map"
          label={words('maps.map')}
          options={maps.map((each) => [each.guid, nameOfMap(each)] as const)}
        />
        <NumberField form={form} name="score" label={words('match.score')} isRequired min={0} max={2_000_000_000} />
        <NumberField form={form} name="misses" label={words('ledger.misses')} min={0} max={1_000_000} />
        <SelectField
          form={form}
          name="completion"
          label={words('ledger.end')}
          options={ends.map((end) => [end, words(`ledger.end-${end}`)] as const)}
        />
        <InstantField
          form={form}
          name="playedAt"
          label={words('ledger.played-at')}
          hint={words('ledger.played-hint')}
          zone={zone}
        />
        <Save isSending={record.isSending} isDisabled={player === null || score === null}>
          {words('ledger.record-it')}
        </Save>
      </Form>
    </Dialog>
  )
}
