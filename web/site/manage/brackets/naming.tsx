import { type ReactNode, useState } from 'react'
import type { DivisionWithBrackets, ListedBracket } from '../../../../client/generated.ts'
import { divisionsAddress } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { NumberField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { type FormState, useForm } from '../../parts/form/use-form.ts'
import styles from './brackets.module.css'

/** Names of divisions and brackets, and their places in the list. */

interface Names {
  readonly name: string
  readonly order: number | null
}

function Renaming({
  label,
  title,
  form,
  error,
  isSending,
  save,
  children,
}: {
  readonly label: string
  readonly title: string
  readonly form: FormState<Names & { readonly id: string }> | FormState<Names>
  readonly error: Error | null
  readonly isSending: boolean
  readonly save: () => Promise<boolean>
  readonly children?: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const shared = form as FormState<Names>
  return (
    <>
      <button type="button" className="btn" onClick={() => setOpen(true)}>
        {words('draw.rename')}
        <span className="unseen"> {label}</span>
      </button>
      {isOpen && (
        <Dialog title={title} close={() => setOpen(false)}>
          <Form
            error={error}
            onSubmit={async () => {
              if (!(await save())) return
              form.take()
              setOpen(false)
            }}
          >
            <TextField form={shared} name="name" label={words('draw.name')} maxLength={100} isRequired />
            {children}
            <NumberField
              form={shared}
              name="order"
              label={words('draw.order')}
              hint={words('draw.order-hint')}
              min={1}
              max={1_000}
              isRequired
            />
            <Save isSending={isSending}>{words('form.save')}</Save>
          </Form>
        </Dialog>
      )}
    </>
  )
}

export function DivisionNaming({
  division: { guid, id, name, order },
  tournament,
}: {
  readonly division: DivisionWithBrackets
  readonly tournament: string
}) {
  const form = useForm({ key: `division-${guid}`, saved: { name, id, order: order as number | null } })
  const { send, error, isSending } = useWrite('PATCH /tournaments/{tournament}/divisions/{division}', (known, saved) =>
    known.change(divisionsAddress(tournament), (divisions) =>
      divisions
        .map((each) => (each.guid === guid ? { ...each, ...saved } : each))
        .toSorted((one, other) => one.order - other.order),
    ),
  )
  const save = () => {
    const { order: place, ...texts } = form.changed
    if (!form.isChanged) return Promise.resolve(true)
    return send({
      params: { tournament, division: guid },
      body: { ...texts, ...(typeof place === 'number' && { order: place }) },
    })
  }
  return (
    <Renaming label={name} title={words('draw.rename-title', { name })} {...{ form, error, isSending, save }}>
      <TextField
        form={form}
        name="id"
        label={words('draw.id')}
        hint={words('draw.id-hint')}
        maxLength={32}
        isRequired
      />
    </Renaming>
  )
}

export function BracketNaming({
  bracket: { guid, name, order },
  tournament,
}: {
  readonly bracket: ListedBracket
  readonly tournament: string
}) {
  const form = useForm<Names>({ key: `bracket-${guid}`, saved: { name, order } })
  const { send, error, isSending } = useWrite('PATCH /tournaments/{tournament}/brackets/{bracket}', (known) =>
    known.renew(divisionsAddress(tournament)),
  )
  const save = () => {
    const { order: place, ...texts } = form.changed
    if (!form.isChanged) return Promise.resolve(true)
    return send({
      params: { tournament, bracket: guid },
      body: { ...texts, ...(typeof place === 'number' && { order: place }) },
    })
  }
  return <Renaming label={name} title={words('draw.rename-title', { name })} {...{ form, error, isSending, save }} />
}

/** The first one has a name already; most tournaments have no other. */
export function NewDivision({ tournament, isFirst }: { readonly tournament: string; readonly isFirst: boolean }) {
  const form = useForm({
    key: `new-division-${tournament}`,
    saved: { name: isFirst ? words('draw.main') : '' },
  })
  const { send, error, isSending, isDone } = useWrite('POST /tournaments/{tournament}/divisions', (known, made) => {
    known.change(divisionsAddress(tournament), (divisions) => [
      ...divisions.filter(({ guid }) => guid !== made.guid),
      { ...made, brackets: [] },
    ])
  })
  return (
    <Form
      error={error}
      isChanged={form.isChanged}
      className={styles.new}
      onSubmit={async () => {
        if (await send({ params: { tournament }, body: { name: form.values.name } })) form.take()
      }}
    >
      <TextField form={form} name="name" label={words('draw.division-name')} maxLength={100} isRequired />
      <div className="btns">
        <button type="submit" className={`btn ${isFirst ? 'btn-primary' : ''}`} aria-disabled={isSending}>
          {words('draw.add-division')}
        </button>
        <span role="status" className="muted">
          {isDone && !form.isChanged ? words('form.saved') : ''}
        </span>
      </div>
    </Form>
  )
}
