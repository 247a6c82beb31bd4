const markOf = (user: string) => `downbeat.unsent.${user}`

/** Whether there may be reports of the account, without opening the database on each page. */
export const hasMark = (user: string): boolean => localStorage.getItem(markOf(user)) !== null

export function mark(user: string, count: number): void {
  if (count > 0) localStorage.setItem(markOf(user), 'yes')
  else localStorage.removeItem(markOf(user))
}
