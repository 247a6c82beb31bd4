import { useId, useMemo, useState } from 'react'
import type { AwardCategory, Awards, Nominee, UserCard } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { type FoundTeam, type FoundTournament, PersonField, TeamField, TournamentField } from '../../parts/finder.tsx'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Empty } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Face } from '../../parts/team.tsx'
import { UploadButton } from '../../parts/upload-button.tsx'
import forms from '../form.module.css'
import styles from './awards.module.css'
import { standing } from './editions.ts'

/** The nominees of a category: who can be voted for once voting opens. */

interface Props {
  readonly awards: Awards
  readonly category: AwardCategory
}

export function Nominees({ awards, category }: Props) {
  const { nominees, shortlistSize } = category
  const [isAdding, setAdding] = useState(false)
  const inOrder = nominees?.toSorted((one, other) => one.label.localeCompare(other.label)) ?? []
  return (
    <Section
      title={words('admin-awards.nominees')}
      beside={
        <>
          <span className="muted">
            {words('admin-awards.on-list', { count: standing(category).length, most: shortlistSize })}
          </span>
          <button type="button" className="btn" onClick={() => setAdding(true)}>
            {words('admin-awards.nominee-new')}
          </button>
        </>
      }
    >
      {inOrder.length === 0 ? (
        <Empty>{words('admin-awards.nominees-none')}</Empty>
      ) : (
        <ul className="lines">
          {inOrder.map((nominee) => (
            <NomineeLine key={nominee.guid} awards={awards} category={category} nominee={nominee} />
          ))}
        </ul>
      )}
      {isAdding && (
        <Dialog title={words('admin-awards.nominee-new')} close={() => setAdding(false)}>
          <NomineeForm awards={awards} category={category} nominee={null} done={() => setAdding(false)} />
        </Dialog>
      )}
    </Section>
  )
}

function NomineeLine({ awards, category, nominee }: Props & { readonly nominee: Nominee }) {
  const { guid, label, imageUrl, description, declined, nominations } = nominee
  const [isOpen, setOpen] = useState(false)
  const remove = useWrite('DELETE /awards/{edition}/categories/{category}/nominees/{nominee}', (known) =>
    known.renew('/awards'),
  )
  return (
    <li className={styles.nominee}>
      <Face name={label} picture={imageUrl} isTeam width={128} />
      <div>
        <p>
          <bdi className="strong">{label}</bdi> {declined && <span className="muted">{words('awards.declined')}</span>}
        </p>
        <p className="muted small" dir="auto">
          {nominations !== null && words('admin-awards.times', { count: nominations })}
          {description !== '' && `, ${description}`}
        </p>
      </div>
      <div className="btns">
        <button type="button" className="btn" onClick={() => setOpen(true)}>
          {words('admin-awards.change')}
          <span className="unseen"> {label}</span>
        </button>
        <Danger
          label={words('admin-awards.remove')}
          of={label}
          title={words('admin-awards.remove-title', { name: label })}
          isPlain
          error={remove.error}
          isSending={remove.isSending}
          act={() => remove.send({ params: { edition: awards.guid, category: category.guid, nominee: guid } })}
        >
          <p>{words('admin-awards.remove-nominee', { count: nominations ?? 0 })}</p>
        </Danger>
      </div>
      {isOpen && (
        <Dialog title={<bdi>{label}</bdi>} close={() => setOpen(false)}>
          <NomineeForm awards={awards} category={category} nominee={nominee} done={() => setOpen(false)} />
        </Dialog>
      )}
    </li>
  )
}

interface FormProps extends Props {
  /** null for a new one, without a nomination. */
  readonly nominee: Nominee | null
  readonly done: () => void
}

type Target = UserCard | FoundTeam | FoundTournament
const nameOf = (target: Target): string =>
  'preferredName' in target ? (target.preferredName ?? target.username) : target.name

function NomineeForm({ awards, category, nominee, done }: FormProps) {
  const id = useId()
  const { nomineeType } = category
  const saved = useMemo(
    () => ({
      label: nominee?.label ?? '',
      description: nominee?.description ?? '',
      link: nominee?.link ?? '',
      imageUrl: nominee?.imageUrl ?? '',
    }),
    [nominee],
  )
  const form = useForm({ key: `nominee-${nominee?.guid ?? category.guid}`, saved })
  const [target, setTarget] = useState<Target | null>(null)
  const params = { edition: awards.guid, category: category.guid }
  const settled = () => {
    form.take()
    done()
  }
  const make = useWrite('POST /awards/{edition}/categories/{category}/nominees', (known) => {
    settled()
    known.renew('/awards')
  })
  const change = useWrite('PATCH /awards/{edition}/categories/{category}/nominees/{nominee}', (known) => {
    settled()
    known.renew('/awards')
  })
  const submit = () => {
    const { label, description, link, imageUrl } = form.values
    const body = { label, description, link: link || null, imageUrl: imageUrl || null }
    if (nominee === null)
      return void make.send({ params, body: { ...body, ...(target !== null && { target: target.guid }) } })
    return void change.send({ params: { ...params, nominee: nominee.guid }, body })
  }
  const isRecord = nomineeType === 'user' || nomineeType === 'team' || nomineeType === 'tournament'
  const choose = (next: Target | null) => {
    setTarget(next)
    if (next !== null) form.set('label', nameOf(next))
  }
  const field = { id, choose, placeholder: words(`nominate.find-${isRecord ? nomineeType : 'other'}`) }
  return (
    <Form error={make.error ?? change.error} onSubmit={submit} className={forms.form ?? ''}>
      {nominee === null && isRecord && (
        <div className="field">
          <label htmlFor={id}>{words('admin-awards.nominee-target')}</label>
          {nomineeType === 'user' && <PersonField {...field} chosen={target as UserCard | null} />}
          {nomineeType === 'team' && <TeamField {...field} chosen={target as FoundTeam | null} />}
          {nomineeType === 'tournament' && <TournamentField {...field} chosen={target as FoundTournament | null} />}
        </div>
      )}
      <TextField form={form} name="label" label={words('admin-awards.nominee-name')} maxLength={120} isRequired />
      <TextField
        form={form}
        name="description"
        label={words('admin-awards.nominee-description')}
        rows={2}
        maxLength={500}
      />
      <TextField form={form} name="link" type="url" label={words('nominate.link')} />
      <div className="btns">
        <UploadButton
          label={words(form.values.imageUrl === '' ? 'admin-awards.picture' : 'admin-awards.picture-other')}
          query={{ kind: 'award_image' }}
          then={({ url }) => form.set('imageUrl', url)}
        />
        {form.values.imageUrl !== '' && (
          <img src={form.values.imageUrl} alt="" className={styles.picture} width="64" height="48" />
        )}
      </div>
      <Save
        isSending={make.isSending || change.isSending}
        isDisabled={nominee === null ? isRecord && target === null : !form.isChanged}
      >
        {words(nominee === null ? 'admin-awards.nominee-new' : 'form.save')}
      </Save>
    </Form>
  )
}
