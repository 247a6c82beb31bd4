import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Rehearsal, TournamentWithParts } from '../../../../client/generated.ts'
import { sendFile } from '../../data/api.ts'
import type { Writes } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, NumberField, TextField } from '../../parts/form/fields.tsx'
import { Field, Form, Save } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { rehearsalsAddress } from './reads.ts'
import styles from './rehearsal.module.css'

/** A rehearsal is made of the tournament as it is now, or of a package of it. (R1) */

export function Make({ tournament }: { readonly tournament: TournamentWithParts }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" className="btn btn-primary" onClick={() => setOpen(true)}>
        {words('rehearsal.make')}…
      </button>
      {isOpen && (
        <Dialog title={words('rehearsal.make')} close={close}>
          <Making tournament={tournament} close={close} />
        </Dialog>
      )}
    </>
  )
}

const making: { name: string; reset: boolean; noShows: number | null; startsAt: string | null } = {
  name: '',
  reset: false,
  noShows: 0,
  startsAt: null,
}

function Making({
  tournament: { guid, timezone },
  close,
}: Parameters<typeof Make>[0] & { readonly close: () => void }) {
  const form = useForm({ key: null, saved: making })
  const [file, setFile] = useState<File | null>(null)
  const { send, share, isSending, error } = useMaking(guid, close)
  const { name, reset, noShows, startsAt } = form.values
  const body = { name, reset, noShows: noShows ?? 0, ...(startsAt !== null && { startsAt }) }
  return (
    <Form error={error} onSubmit={() => send(body, file)}>
      <p>{words('rehearsal.what')}</p>
      <TextField
        form={form}
        name="name"
        label={words('rehearsal.name')}
        hint={words('rehearsal.name-hint')}
        maxLength={100}
        isRequired
      />
      <CheckField form={form} name="reset" label={words('rehearsal.reset')} hint={words('rehearsal.reset-hint')} />
      <NumberField
        form={form}
        name="noShows"
        label={words('rehearse.no-shows')}
        hint={words('rehearse.no-shows-hint')}
        min={0}
      />
      <InstantField
        form={form}
        name="startsAt"
        zone={timezone}
        label={words('rehearse.starts')}
        hint={words('rehearse.starts-hint')}
      />
      <Field name="file" label={words('rehearsal.package')} hint={words('rehearsal.package-hint')}>
        {(of) => (
          <input
            {...of}
            className={`in ${styles.file}`}
            type="file"
            accept=".zip,application/zip"
            onChange={({ target }) => setFile(target.files?.[0] ?? null)}
          />
        )}
      </Field>
      <Save isSending={isSending}>{words('rehearsal.make')}</Save>
      {share !== null && <progress max={1} value={share} aria-label={words('upload.progress')} />}
    </Form>
  )
}

const at = 'POST /tournaments/{tournament}/rehearsals'
type Body = Writes[typeof at]['body']

/** Makes one of the tournament as it is now, or of a package, which is sent with its progress. */
function useMaking(guid: string, then: () => void) {
  const cache = useQueryClient()
  const [share, setShare] = useState<number | null>(null)
  const [refused, setRefused] = useState<Error | null>(null)
  const show = (made: Rehearsal) => {
    cache.setQueryData([rehearsalsAddress(guid)], (known: { readonly rehearsals: readonly Rehearsal[] } | undefined) =>
      known === undefined || known.rehearsals.some((each) => each.guid === made.guid)
        ? known
        : { rehearsals: [...known.rehearsals, made] },
    )
    then()
  }
  const make = useWrite(at, (_known, made) => show(made))
  const sendPackage = async (body: Body, file: File): Promise<void> => {
    const parts = new FormData()
    // Members come first: they are judged before the file has arrived.
    for (const [name, value] of Object.entries(body)) parts.append(name, String(value))
    parts.append('file', file)
    setShare(0)
    try {
      show(await sendFile<Rehearsal>(`/tournaments/${guid}/rehearsals`, {}, parts, setShare))
    } catch (failure) {
      setRefused(failure as Error)
    } finally {
      setShare(null)
    }
  }
  const isSending = make.isSending || share !== null
  const send = (body: Body, file: File | null) => {
    if (isSending) return
    setRefused(null)
    make.reset()
    return file === null ? make.send({ params: { tournament: guid }, body }) : sendPackage(body, file)
  }
  return { send, share, isSending, error: refused ?? make.error }
}
