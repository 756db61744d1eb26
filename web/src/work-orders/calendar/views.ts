export const WIDE_VIEWS = ['dayGridMonth', 'timeGridWeek', 'timeGridDay'] as const
/** On a phone a month has no room for words: the days of a week are read one below the other. */
export const NARROW_VIEWS = ['listWeek', 'timeGridDay'] as const
export type CalendarView = (typeof WIDE_VIEWS | typeof NARROW_VIEWS)[number]
