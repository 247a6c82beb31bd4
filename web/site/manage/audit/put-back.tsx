import { useState } from 'react'
import type { AuditEntry, TournamentWithParts } from '../../../../client/generated.ts'
import type { TournamentChanges } from '../../data/generated.ts'
import { tournamentAddress, useAccess, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form/form.tsx'
import { mayChange } from '../rights.ts'
import { differencesOf, isSame, nameOf, type State } from '../said.ts'
import { Values } from './entries.tsx'
import type { Names } from './names.ts'

/** Gives settings back the values that they had before a change, with a preview of what that changes now. (W19) */

interface Props {
  readonly entry: AuditEntry
  readonly tournament: TournamentWithParts
  readonly names: Names
}

/** What no log can give back: secrets, who may see it, and texts that the log has shortened. */
const never = ['chatWebhookUrl', 'chatWebhooks', 'visibilityScope']
const isWhole = (value: unknown) =>
  !(typeof value === 'string' && (value === '(too long for the log)' || (value.length >= 1_999 && value.endsWith('…'))))

export function PutBack({ entry, tournament, names }: Props) {
  const roles = useAccess().data?.roles ?? []
  const [isOpen, setOpen] = useState(false)
  const before = Object.fromEntries(
    Object.entries(entry.before ?? {}).filter(
      ([name, value]) => !never.includes(name) && isWhole(value) && mayChange(name, roles),
    ),
  )
  const record = tournament as unknown as State
  const isBack = Object.entries(before).every(([name, value]) => isSame(record[name] ?? null, value))
  if (Object.keys(before).length === 0 || isBack) return null
  return (
    <>
      <button type="button" className="btn btn-quiet" onClick={() => setOpen(true)}>
        {words('audit.undo')}…
      </button>
      {isOpen && (
        <Preview entry={entry} before={before} tournament={tournament} names={names} close={() => setOpen(false)} />
      )}
    </>
  )
}

function Preview({
  entry,
  before,
  tournament,
  names,
  close,
}: Props & { readonly before: State; readonly close: () => void }) {
  const id = useTournamentId()
  const record = tournament as unknown as State
  const save = useWrite('PATCH /tournaments/{tournament}', (known, reply) => {
    known.change(tournamentAddress(id), (known) => ({ ...known, ...reply }))
    known.renew(`/tournaments/${id}/audit`)
    close()
  })
  const now = Object.fromEntries(Object.keys(before).map((name) => [name, record[name] ?? null]))
  const differences = differencesOf(now, before)
  // What was changed once more since then goes with it.
  const later = Object.keys(before).filter((name) => !isSame(record[name] ?? null, entry.after?.[name] ?? null))
  const body = { ...before, expectedUpdatedAt: tournament.updatedAt } as TournamentChanges
  return (
    <Dialog title={words('audit.undo-settings')} close={close}>
      <Form error={save.error} onSubmit={() => save.send({ params: { tournament: tournament.guid }, body })}>
        <p>{words('audit.undo-settings-text')}</p>
        <Values of={differences} zone={tournament.timezone} names={names} />
        {later.length > 0 && (
          <p className="notice notice-warning">
            {words('audit.changed-since', { names: later.map(nameOf).join(', ') })}
          </p>
        )}
        <div className="btns">
          <button type="submit" className="btn btn-primary" aria-disabled={save.isSending || differences.length === 0}>
            {words('audit.undo-do')}
          </button>
          <button type="button" className="btn" onClick={close}>
            {words('danger.cancel')}
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
