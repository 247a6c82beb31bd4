import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Rehearsal, TournamentWithParts } from '../../../../client/generated.ts'
import { useRead } from '../../data/queries.ts'
import { shownBy } from '../../data/rehearsal-clock.ts'
import { useMay, useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Ago, Instant, useNow } from '../../parts/time.tsx'
import { Make } from './make.tsx'
import { rehearsalsAddress, showRehearsal } from './reads.ts'
import styles from './rehearsal.module.css'

/** Copies of the tournament in which an evening is tried unseen, and what of them the tournament is to have. (R1, R6) */

/** So many may be there at once. */
const most = 3

export function ManageRehearsals() {
  const read = useTournament()
  return (
    <div className="page wide stack">
      <Loaded of={read} rows={8}>
        {(tournament) => <Of tournament={tournament} />}
      </Loaded>
    </div>
  )
}

function Of({ tournament }: { readonly tournament: TournamentWithParts }) {
  const { guid, name } = tournament
  const read = useRead(rehearsalsAddress(guid), { live: true })
  const mayMake = useMay()('rehearsals.create')
  const count = read.data?.rehearsals.length ?? 0
  const isNested = tournament.rehearsal !== undefined
  return (
    <>
      <div className="title">
        <div>
          <h1 data-title={`${words('manage.rehearsal')} · ${name}`}>{words('manage.rehearsal')}</h1>
          <p>{words('rehearsal.intro')}</p>
        </div>
        {mayMake && !isNested && count < most && <Make tournament={tournament} />}
      </div>
      {mayMake && count >= most && <p className="notice">{words('rehearsal.full', { count: most })}</p>}
      <Loaded of={read} rows={4}>
        {({ rehearsals }) =>
          rehearsals.length === 0 ? (
            <Empty>
              {words(isNested ? 'rehearsal.nested' : mayMake ? 'rehearsal.none' : 'rehearsal.none-for-others')}
            </Empty>
          ) : (
            <ul className={styles.rehearsals}>
              {rehearsals.map((rehearsal) => (
                <One key={rehearsal.guid} rehearsal={rehearsal} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}

function One({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const { guid, id, name, from, clock, createdBy, createdAt, expiresAt } = rehearsal
  const may = useMay()
  const tournament = useTournamentId()
  const now = useNow(5_000)
  return (
    <li>
      <Section
        title={<bdi>{name}</bdi>}
        beside={
          <div className="btns">
            <Link
              to="/manage/$tournament/rehearsal/$rehearsal"
              params={{ tournament, rehearsal: guid }}
              className="btn btn-primary"
            >
              {words('rehearse.open')}
              <span className="unseen"> {name}</span>
            </Link>
            <Link to="/manage/$tournament" params={{ tournament: id }} className="btn">
              {words('rehearsal.open')}
              <span className="unseen"> {name}</span>
            </Link>
            {may('rehearsals.rename') && <Rename rehearsal={rehearsal} />}
            {may('rehearsals.delete') && <Delete rehearsal={rehearsal} />}
          </div>
        }
      >
        <p>
          {words(clock.paused ? 'rehearse.shows-paused' : 'rehearse.shows')}{' '}
          <Instant at={new Date(shownBy(clock, now)).toISOString()} />.
        </p>
        <p className="muted">
          {words(from === 'package' ? 'rehearsal.made-of-package-by' : 'rehearsal.made-by', {
            name: createdBy.preferredName,
          })}{' '}
          <Ago at={createdAt} />. {words('rehearsal.goes')} <Instant at={expiresAt} />.
        </p>
      </Section>
    </li>
  )
}

function Rename({ rehearsal }: { readonly rehearsal: Rehearsal }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        {words('rehearsal.rename')}…<span className="unseen"> {rehearsal.name}</span>
      </button>
      {isOpen && (
        <Dialog title={words('rehearsal.rename-title', { name: rehearsal.name })} close={close}>
          <Renaming rehearsal={rehearsal} close={close} />
        </Dialog>
      )}
    </>
  )
}

function Renaming({
  rehearsal: { guid, of, name },
  close,
}: Parameters<typeof Rename>[0] & { readonly close: () => void }) {
  const form = useForm({ key: null, saved: { name } })
  const rename = useWrite('PATCH /tournaments/{tournament}/rehearsals/{rehearsal}', (known, renamed) => {
    showRehearsal(known, { guid, of }, renamed)
    close()
  })
  return (
    <Form
      error={rename.error}
      onSubmit={() => rename.send({ params: { tournament: of, rehearsal: guid }, body: form.values })}
    >
      <TextField form={form} name="name" label={words('rehearsal.name')} maxLength={100} isRequired />
      <Save isSending={rename.isSending}>{words('rehearsal.rename')}</Save>
    </Form>
  )
}

function Delete({ rehearsal: { guid, of, name } }: { readonly rehearsal: Rehearsal }) {
  const remove = useWrite('DELETE /tournaments/{tournament}/rehearsals/{rehearsal}', (known) =>
    known.change(rehearsalsAddress(of), ({ rehearsals }) => ({
      rehearsals: rehearsals.filter((each) => each.guid !== guid),
    })),
  )
  return (
    <Danger
      label={words('rehearsal.delete')}
      of={name}
      title={words('rehearsal.delete-title', { name })}
      typed={name}
      error={remove.error}
      isSending={remove.isSending}
      act={() => remove.send({ params: { tournament: of, rehearsal: guid } })}
    >
      <p>{words('rehearsal.delete-what')}</p>
    </Danger>
  )
}
