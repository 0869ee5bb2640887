// All that a figure says.
export default {};
