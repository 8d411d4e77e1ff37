export { State, type StateSnapshot } from './state.ts';
export { Table, type Row } from './table.ts';
