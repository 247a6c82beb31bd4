import { words } from '../../data/words.ts'
import { State } from '../state.tsx'
import { areHeld, useReports } from './use-reports.ts'

/** Whether everything that the reader has reported is sent, in two words. */
export function SentState() {
  const { reports } = useReports()
  if (areHeld(reports))
    return (
      <State shape="problem" tone="warning">
        {words('reports.count', { count: reports.length })}
      </State>
    )
  return reports.length > 0 ? (
    <State shape="waiting" tone="quiet">
      {words('reports.sending')}
    </State>
  ) : (
    <State shape="done" tone="quiet">
      {words('reports.all-sent')}
    </State>
  )
}
