/** Subjects of hints between processes. */
export const sessionHint = 'assistant.session'
export const commandHint = 'assistant.command'
export const answerHint = 'assistant.answer'
