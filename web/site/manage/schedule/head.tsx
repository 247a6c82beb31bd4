import { Link } from '@tanstack/react-router'
import { useMay } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { NumberField } from '../../parts/form/fields.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import { PrintButton } from '../../parts/print.tsx'
import { isSameZone, ownZone, zoneOf } from '../../parts/time.tsx'
import { isOpen } from '../matches.ts'
import type { RuleValues } from './page.tsx'
import type { Plan } from './plan.ts'
import styles from './schedule.module.css'
import { from, route, searchWith } from './search.ts'

/** What the page is about, how it is looked at, and by which lengths clashes are judged. */
export function Head({ plan, form }: { readonly plan: Plan; readonly form: FormState<RuleValues> }) {
  const search = route.useSearch()
  const may = useMay()
  const open = plan.matches.filter(isOpen)
  const timed = open.filter(({ scheduledAt }) => scheduledAt !== null).length
  const at = Date.parse(plan.startsAt ?? '') || Date.now()
  const isAsking = search.proposal !== undefined && may('schedules.propose')
  return (
    <>
      <div className="title">
        <div>
          <h1>{words('manage.schedule')}</h1>
          <p>
            {words('plan.summary', { timed, open: open.length })}{' '}
            {words('schedule.zone', { zone: zoneOf(plan.zone, at) })}
            {!isSameZone(plan.zone, ownZone, at) && ` ${words('plan.yours', { zone: zoneOf(ownZone, at) })}`}
          </p>
        </div>
        <div className="btns no-print">
          {!isAsking && (
            // biome-ignore lint/a11y/useSemanticElements: these are links, not fields
            <div className={`choices ${styles.views}`} role="group" aria-label={words('schedule.view')}>
              {([undefined, 'list'] as const).map((view) => (
                <Link
                  key={view ?? 'grid'}
                  from={from}
                  to="."
                  search={searchWith(search, 'view', view)}
                  className="btn"
                  aria-current={search.view === view ? 'true' : undefined}
                  activeOptions={{ exact: true, includeSearch: true }}
                  replace
                  resetScroll={false}
                >
                  {words(view === undefined ? 'schedule.grid' : 'schedule.list')}
                </Link>
              ))}
            </div>
          )}
          {!isAsking && <PrintButton isSmall />}
          {may('schedules.propose') && open.length > 0 && (
            <Link
              from={from}
              to="."
              search={searchWith(search, 'proposal', isAsking ? undefined : 'new')}
              className={isAsking ? 'btn' : 'btn btn-primary'}
              activeOptions={{ exact: true, includeSearch: true }}
            >
              {words(isAsking ? 'plan.back' : 'plan.propose')}
            </Link>
          )}
        </div>
      </div>
      {open.length > 0 && !isAsking && (
        <div className={`${styles.rules} no-print`}>
          <NumberField form={form} name="minutes" label={words('plan.minutes')} min={15} max={720} />
          <NumberField form={form} name="rest" label={words('plan.rest')} min={0} max={10_080} />
          <p className="small muted only-wide">{words(may('matches.update') ? 'plan.keys' : 'plan.judged')}</p>
        </div>
      )}
    </>
  )
}
